"""Reader of Word documents (.docx, .docm, .dotx and Word 2003 XML)."""
