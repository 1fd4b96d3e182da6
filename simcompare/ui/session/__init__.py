"""Sessions in the window: saving and opening, recent files, and what is kept against a crash."""
