"""Render Markdown that users write, such as an event's description, as HTML that is safe to show."""

from functools import cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

TAGS = frozenset({
    *("h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote", "pre", "ul", "ol", "li"),
    *("table", "thead", "tbody", "tr", "th", "td"),
    *("a", "code", "em", "s", "strong"),
})
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}
_DEEPER = 2  # levels by which headings move down, below those of the page: "# Prizes" becomes an h3
_LEVELS = 6


def html_of(text: str) -> str:
    """Render a Markdown text as HTML. Images are disabled, raw HTML is escaped, and links get `rel="nofollow"`.

    >>> html_of("# Prizes\\n**One** for <b>all</b>")
    '<h3>Prizes</h3>\\n<p><strong>One</strong> for &lt;b&gt;all&lt;/b&gt;</p>\\n'
    """
    parser = _parser()
    tokens = parser.parse(text)
    for token in tokens:
        _lower(token)
    html = parser.renderer.render(tokens, parser.options, {})
    return nh3.clean(html, tags=set(TAGS), attributes=_ATTRIBUTES, url_schemes=_SCHEMES, link_rel="nofollow noopener")


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")


def _lower(token: Token) -> None:
    """Move a heading down, below those of the page."""
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(_LEVELS, int(token.tag[1]) + _DEEPER)}"
