"""Start page: shown without documents, with the samples and the last sessions."""
