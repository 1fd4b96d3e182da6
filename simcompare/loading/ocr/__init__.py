"""Text recognition, where the optional extra "ocr" is installed: pictures and scanned pages become lines."""
