"""A comparison as a PDF to print and to file: Qt sets the lines, the file is written here.

Qt's own PDF writer tells of every glyph the lowest character of the font that looks so: it turns 石 into a
radical and knows no character beyond the first plane. Who copies a sentence out of evidence must get that
sentence, so the text of each glyph is written down as it was set.
"""
