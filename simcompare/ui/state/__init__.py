"""The state of the window, without widgets: documents, settings, comparison, selection."""
