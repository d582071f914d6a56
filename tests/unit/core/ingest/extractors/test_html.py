"""A page gives its main text under its headings, and nothing that a reader would not see."""

from pathlib import Path

import pytest

from reverie.ingest.extractors import Limits, NoText, TooLarge, Unreadable, extract
from reverie.ingest.extractors.html import from_html
from reverie.ingest.isolated import extract_isolated

PAGE = """<!DOCTYPE html>
<html lang="en"><head><title>Aurelia &mdash; manual</title>
<meta name="author" content="Inés Duarte"><meta property="og:description" content="How to roast">
<style>p { color: red }</style><script>var hidden = "tracking code";</script></head>
<body>
<nav><a href="/">Home</a> <a href="/shop">Shop menu</a></nav>
<h1>The roaster</h1>
<main>
<p>Warm it up for <b>ten</b>
minutes. See <a href="https://example.org/a">the guide</a>, not <a href="javascript:run()">this one</a>.</p>
<h2>Cleaning</h2>
<p>First<br>
then:</p>
<ul><li>Brush the drum<li>Empty the tray<ul><li>weekly</li></ul></ul>
<ol><li>Cool</li><li>Unplug</li></ol>
<pre>temp = 215
  hold(90)</pre>
<h2>Prices</h2>
<table><tr><th>Bean</th><th>Price</th></tr><tr><td>Sidamo</td><td><p>14 &euro;</p></td></tr></table>
<p hidden>unseen one</p><p style="display: none">unseen two</p>
<img src="https://example.org/spy.png" alt="A drum with a brush">
</main>
<footer>Copyright and imprint</footer>
</body></html>"""


def test_main_text_with_headings_lists_tables_code_and_links(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    read = extract(tmp_path / "a.html")
    assert read.metadata == {
        "title": "Aurelia — manual",
        "author": "Inés Duarte",
        "description": "How to roast",
    }
    assert {part.place.heading: part.text for part in read.parts} == {
        "The roaster": "Warm it up for ten minutes. See [the guide](https://example.org/a), not this one.",
        "The roaster > Cleaning": "First\nthen:\n\n- Brush the drum\n- Empty the tray\n  - weekly\n1. Cool\n2. Unplug"
        "\n\n```\ntemp = 215\n  hold(90)\n```",
        "The roaster > Prices": "| Bean | Price |\n| --- | --- |\n| Sidamo | 14 € |\n\nA drum with a brush",
    }


@pytest.mark.parametrize(
    "unseen", ["tracking code", "Shop menu", "unseen", "imprint", "javascript", "spy.png"]
)
def test_what_a_reader_does_not_see_is_left_out(unseen: str) -> None:
    assert unseen not in str(from_html(PAGE).parts)


def test_a_page_that_is_all_navigation_is_read_all_the_same() -> None:
    assert "Only a list of links" in from_html("<nav><p>Only a list of links</p></nav>").parts[0].text


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ('<meta charset="gb2312">', "gb2312"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=big5">', "big5"),
        ("", "utf-8"),
        ("", "utf-16"),
    ],
)
def test_the_encoding_that_the_page_names(tmp_path: Path, head: str, codec: str) -> None:
    (tmp_path / "a.htm").write_bytes(
        f"<html><head>{head}</head><body><p>中文</p></body></html>".encode(codec)
    )
    assert extract(tmp_path / "a.htm").parts[0].text == "中文"


@pytest.mark.parametrize("name", ["hex", "idna", "zlib", "no-such-thing"])
def test_what_is_no_encoding_of_pages_is_not_tried(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.html").write_bytes(f'<html><meta charset="{name}"><p>Gr\xf6\xdfe'.encode("latin-1"))
    assert extract(tmp_path / "a.html").parts[0].text == "Größe"


@pytest.mark.parametrize(
    "page",
    [
        "<html><p>words <table><tr><td>a<td>b<tr><td>c</html>",
        "<html><div><div><h1>words<p>and more",
        "<html><p>words <a href='https://e.org'>x<p>y</a></a></ul></table></main></pre></article>",
        "<html><table><tr><td>words<table><tr><td>x</td><td>y</td></tr></table></td><td>z</td></tr></table>",
        "<html><p>words <![CDATA[ x ]]> <!-- y <?php echo 1 ?> < 3 &#xD800; &#0; &nosuch;",
    ],
)
def test_markup_that_is_not_well_formed_loses_no_words(page: str) -> None:
    read = from_html(page)
    assert "words" in "".join(part.place.heading + part.text for part in read.parts)


def test_pages_without_words_and_pages_that_are_too_large(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html><body><script>build()</script></body></html>", encoding="utf-8")
    with pytest.raises(NoText, match="no words"):
        extract(path)
    path.write_text(PAGE, encoding="utf-8")
    with pytest.raises(TooLarge):
        extract(path, Limits(text_bytes=900))
    assert extract(path, Limits(text_bytes=900, first_part=True)).note.startswith("Only the first")


def test_a_page_made_to_take_for_ever_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html>" + "<a " * 100_000, encoding="utf-8")
    with pytest.raises(Unreadable, match="was stopped"):
        extract_isolated(path, Limits(seconds=1))


def test_a_long_table_keeps_each_row() -> None:
    rows = "".join(f"<tr><td>row {number}</td><td>value</td></tr>" for number in range(5000))
    (part,) = from_html(f"<table>{rows}</table>").parts
    assert part.text.count("\n") == 5000
