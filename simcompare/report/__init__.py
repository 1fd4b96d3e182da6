"""Reports of comparisons in all formats, and annotated copies. Only renders; computes no comparison."""
