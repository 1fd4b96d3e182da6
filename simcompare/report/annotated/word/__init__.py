"""Annotated copies of Word files: matches shaded, underlined and commented."""
