"""Sentences that do not count: quotations, references, prompt, name lines, short ones, left out by hand."""
