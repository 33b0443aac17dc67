"""Human assessment of a data set: a sample on an annotation page, and the report on the answers."""
