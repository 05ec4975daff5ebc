"""Every link between the pages of this repository leads somewhere, and every page is found from the index."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for page in ROOT.rglob("*.md")
    if not any(part.startswith(".") for part in page.relative_to(ROOT).parts)
)
INDEX = ROOT / "docs" / "README.md"

LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)>\s]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")


def prose(page: Path) -> str:
    """A page without its code, in which brackets are no links and hashes no headings."""
    text = re.sub(r"^(```+).*?^\1\s*$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", lambda code: re.sub(r"[\[\]()]", "", code[0]), text)


def links(page: Path) -> Iterator[str]:
    """Every link of a page that stays in the repository."""
    for inline, reference in LINK.findall(prose(page)):
        target = inline or reference
        if not ELSEWHERE.match(target):
            yield target


def anchors(page: Path) -> set[str]:
    """What a link can point to within a page: its headings, spelled as GitHub spells them."""
    found: set[str] = set()
    for heading in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", prose(page), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found.add(words if words not in found else f"{words}-1")
    return found


def leads_nowhere(page: Path, link: str) -> bool:
    """Whether nothing is at the end of a link."""
    path, _, anchor = unquote(link).partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return True
    return bool(anchor) and (target.suffix != ".md" or anchor not in anchors(target))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert [link for link in links(page) if leads_nowhere(page, link)] == []


def test_every_page_of_the_documentation_is_in_its_index() -> None:
    listed = {(INDEX.parent / link.partition("#")[0]).resolve() for link in links(INDEX)}
    pages = {page for page in INDEX.parent.glob("*.md") if page != INDEX}
    assert pages | {INDEX.parent / "adr" / "README.md"} <= listed


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    """Code holds no links, a heading is spelled without its signs, and a wrong anchor is seen."""
    page = tmp_path / "page.md"
    page.write_text(
        "# What's `this`?\n[here](#whats-this) [there](no.md)\n`[not](this)`\n```\n[nor](that)\n```\n"
    )
    assert list(links(page)) == ["#whats-this", "no.md"]
    assert [link for link in links(page) if leads_nowhere(page, link)] == ["no.md"]
    assert leads_nowhere(INDEX, "dice.md#no-such-heading")
    assert not leads_nowhere(INDEX, "dice.md")
