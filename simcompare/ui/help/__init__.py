"""Help: hints beside controls, the About dialog, reports of problems."""
