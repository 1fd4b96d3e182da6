"""The comparison matrix as a heatmap."""
