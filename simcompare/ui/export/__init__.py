"""Export in the window: dialog, queue of jobs, snapshot of the workspace."""
