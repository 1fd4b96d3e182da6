"""Reading of files in worker processes that can be killed."""
