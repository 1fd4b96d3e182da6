"""Licence texts of what simcompare needs: reviewed, and collected into the bundle."""
