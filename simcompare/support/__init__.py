"""General helpers without domain knowledge: translation, resources, atomic files, display text."""
