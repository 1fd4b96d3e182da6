"""Reader of PDF files, by pdfium and pdfminer.six."""
