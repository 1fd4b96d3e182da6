"""Sentences that do not count: quotations, references, prompt, name lines, short fragments."""
