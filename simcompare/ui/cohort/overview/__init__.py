"""Pictures of a class: histogram of the shares, heatmap and graph of the essays; and the list of students."""
