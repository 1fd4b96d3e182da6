"""Page of the library: what is stored, adding, removing, and what a search found."""
