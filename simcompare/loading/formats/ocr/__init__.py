"""Text recognition of pictures and scanned pages (optional extra `ocr`)."""
