"""A PDF full of the names of students, in its text and beside it."""

import pikepdf

from tests.helpers.pdf_files import drawn, write_pdf


def planted_pdf(path):
    """A PDF that names students wherever a PDF can."""
    text = drawn("John Smith, 20231235", 60, 800) + drawn("Waiting, by Mary-Ann O'Neil", 60, 760, 20)
    text += drawn("When John Smith and I waited for the bus, it was raining heavily.", 60, 700) + drawn(
        "The willows turn green and the river wakes in spring.", 60, 400
    )
    text += drawn("Children fly kites over the fields, and nobody goes home early.", 60, 380)
    write_pdf(path, text, text)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.docinfo[pikepdf.Name.Author] = "John Smith"
        with pdf.open_metadata() as xmp:
            xmp["dc:creator"] = ["Mary-Ann O'Neil"]
        pdf.attachments["John Smith.txt"] = b"20231235"
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("John Smith", 0))
        appearance = pdf.make_stream(b"BT /F 12 Tf 2 2 Td (John Smith) Tj ET")
        appearance.stream_dict = pikepdf.Dictionary(
            Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form, BBox=[0, 0, 200, 20],
            Resources=pdf.pages[0].Resources,
        )  # fmt: skip
        shared = {"Rect": [60, 600, 260, 620], "AP": pikepdf.Dictionary(N=appearance), "F": 4}
        field = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, FT=pikepdf.Name.Tx,
            T=pikepdf.String("John Smith"), V=pikepdf.String("John Smith"), **shared,
        )  # fmt: skip
        remark = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.FreeText, Contents=pikepdf.String("20231235"),
            **{**shared, "Rect": [60, 560, 260, 580]},
        )  # fmt: skip
        both = [pdf.make_indirect(field), pdf.make_indirect(remark)]
        pdf.pages[0].Annots = pikepdf.Array(both)
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=both[:1])
        pdf.save()
    return path
