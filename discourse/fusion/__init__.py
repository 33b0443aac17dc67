"""DiscoFuse (Geva et al., NAACL 2019): texts, and the two sentences that rules derive from them."""
