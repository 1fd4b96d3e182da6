"""Report of a class: a page with pictures, its PDF, the grade sheet and the workbook of a check."""
