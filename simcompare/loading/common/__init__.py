"""What the readers of several formats share: numbers of lists, colours, styles, fields, pictures."""
