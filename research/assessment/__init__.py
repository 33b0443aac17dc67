"""Human assessment of a data set: draw a sample, write the annotation page, report on the answers."""
