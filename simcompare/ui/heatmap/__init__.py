"""The comparison matrix as a picture that can be zoomed, hovered and walked through."""
