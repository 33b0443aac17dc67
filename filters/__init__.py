"""One filter a file, all of one shape: score(pairs) gives numbers, accepts(score) decides by a threshold."""
