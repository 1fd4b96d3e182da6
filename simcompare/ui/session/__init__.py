"""Sessions in the window: saving and opening, recent files, and recovery copies."""
