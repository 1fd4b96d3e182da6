"""Students of a class: the files they handed in, which of them count, and who has not handed in."""
