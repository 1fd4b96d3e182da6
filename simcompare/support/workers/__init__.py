"""Worker processes: start, time limit, memory limit, results in order."""
