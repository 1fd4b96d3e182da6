"""Reports of comparisons: HTML, PDF, Word, plain text, JSON, CSV, Excel, and annotated copies. Renders, does
not compare.
"""
