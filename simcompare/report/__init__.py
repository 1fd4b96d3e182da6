"""Reports of comparisons in all formats, and annotated copies. Renders, computes no comparison."""
