"""Compare view: header and settings, both texts, heatmap, list and explanation of matches."""
