"""State of the window, without widgets: documents, settings, comparison, decisions, selection."""
