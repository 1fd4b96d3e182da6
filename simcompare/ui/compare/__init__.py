"""Parts of the Compare view: heatmap contents, folding of the heatmap, height of the inspector."""
