"""Sentences common to the class: the question about them, and the view of all of them."""
