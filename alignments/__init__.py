"""What OPUS has, and links of shape 1-2 and 2-1 out of it."""
