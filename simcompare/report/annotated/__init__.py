"""Annotated copies of the compared files: matches highlighted and commented."""
