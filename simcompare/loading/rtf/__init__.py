"""Rich Text documents: a tokenizer of our own and a walk that knows what each group is for."""
