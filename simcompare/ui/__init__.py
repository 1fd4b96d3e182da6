"""The window: one file a view; app.py wires, main_window.py assembles."""
