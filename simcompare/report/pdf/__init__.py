"""The report of a comparison as a tagged PDF, typeset by Typst."""
