"""DiscoFuse (Geva et al., NAACL 2019): fused sentences and the two sentences that rules make of them."""
