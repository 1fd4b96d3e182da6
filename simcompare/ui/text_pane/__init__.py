"""A document's text with its matches tinted, and the overview in its scroll bar."""
