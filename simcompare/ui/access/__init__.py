"""Other ways to see and use what is painted or dragged: tables of pictures, keys for borders, text size."""
