"""Makes the two PDF files of resources/samples from their texts in packaging/samples_text, and
the one with a password that the tests read.

Needs reportlab (BSD; not among the dependencies): ``pip install reportlab``, then
``python packaging/make_samples.py``. The same text gives the same bytes.
"""

import re
from pathlib import Path
from xml.sax.saxutils import escape

from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, CondPageBreak, Flowable, Frame, PageTemplate, Paragraph

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parent / "resources" / "samples"
SERIF, BOLD = "Times-Roman", "Helvetica-Bold"

BODY = ParagraphStyle("body", fontName=SERIF, fontSize=11, leading=15.5, spaceAfter=7, alignment=TA_JUSTIFY)
HEADINGS = {
    1: ParagraphStyle("title", fontName=BOLD, fontSize=22, leading=28, spaceAfter=14),
    2: ParagraphStyle(
        "chapter", fontName=BOLD, fontSize=14, leading=18, spaceBefore=12, spaceAfter=6, keepWithNext=True
    ),
    3: ParagraphStyle(
        "section", fontName=BOLD, fontSize=11, leading=14, spaceBefore=6, spaceAfter=3, keepWithNext=True
    ),
}


def main() -> None:
    make("aurelia-r7-manual", A5, running="Aurelia R7 owner's manual", author="Ferrant Works")
    make_locked(HERE.parent / "tests" / "data" / "locked.pdf")
    make("insurance-summary", A4, running="Nordmole Mutual, policy NM-2024-11873", author="Nordmole Mutual")


def make(name: str, size: tuple[float, float], *, running: str, author: str) -> None:
    """Writes one PDF with a running head and page numbers, as real manuals have them."""
    text = (HERE / "samples_text" / f"{name}.md").read_text(encoding="utf-8")
    margin = 18 * mm
    frame = Frame(margin, margin, size[0] - 2 * margin, size[1] - 2 * margin, id="page")

    def decorate(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont(SERIF, 8)
        canvas.drawString(margin, size[1] - 12 * mm, running)
        canvas.drawCentredString(size[0] / 2, 10 * mm, f"Page {document.page}")

    document = BaseDocTemplate(
        str(SAMPLES / f"{name}.pdf"),
        pagesize=size,
        pageTemplates=[PageTemplate("all", [frame], onPage=decorate)],
        title=running,
        author=author,
        invariant=1,
    )
    story: list[Flowable] = []
    for piece in re.split(r"\n\s*\n", text.strip()):
        if piece.startswith("## "):
            story.append(CondPageBreak(size[1] / 3))  # no chapter begins at the foot of a page
        story.append(block(piece))
    document.build(story)


def make_locked(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=A5, encrypt=StandardEncryption("secret"), invariant=1)
    canvas.drawString(30 * mm, 100 * mm, "Nobody reads this without the password.")
    canvas.save()


def block(piece: str) -> Paragraph:
    mark, _, rest = piece.partition(" ")
    if set(mark) == {"#"}:
        return Paragraph(escape(rest), HEADINGS[len(mark)])
    return Paragraph(escape(" ".join(piece.split())), BODY)


if __name__ == "__main__":
    main()
