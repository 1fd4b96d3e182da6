"""What leaves the window as a file: the report of the pair on show."""
