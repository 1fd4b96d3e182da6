"""Main window and its views: app.py starts the program, main_window.py assembles the parts."""
