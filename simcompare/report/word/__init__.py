"""A comparison as a Word document, for whoever wants to write on in it."""
