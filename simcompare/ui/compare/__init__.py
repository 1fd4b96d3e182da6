"""Parts of the Compare view: what feeds the heatmap, folds it away, and gives the inspector its room."""
