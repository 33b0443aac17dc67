"""Discovery (Sileo et al., NAACL 2019): adjacent sentences, the second of which begins with a discourse marker."""
