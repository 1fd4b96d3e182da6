"""Reader of Word documents in XML: .docx and Word 2003 XML."""
