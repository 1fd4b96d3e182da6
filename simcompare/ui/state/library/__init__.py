"""The library in the window: what is stored, adding, removing, and searching in the background."""
