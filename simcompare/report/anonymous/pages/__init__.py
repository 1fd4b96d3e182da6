"""The pages of a PDF as pictures in which nobody is named.

Nothing is drawn but what was read: text whose characters were all searched for names, and lines and areas
along the edges of the page. Photographs and drawings are left out, because what they show cannot be read; so
are remarks and the fields of forms.
"""
