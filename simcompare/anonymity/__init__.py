"""Who stands behind the files of a class, and texts in which nobody can see it.

Names and numbers come from the names of the files (file_names.py) and from a teacher's list (roster.py). Each
student gets one pseudonym whatever spelling stands in a text (spellings.py, pseudonyms.py), and the places of
sentences and units move with the replaced text (moved_text.py), so that figures of the originals hold.
"""
