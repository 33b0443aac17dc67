"""Cross-lingual explicitation (Shi et al. 2019): implicit relations, labelled by back-translations."""
