"""The head of a column by which a table is sorted."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def sort_column(context: template.Context, column: str, words: str) -> SafeString:
    """The head of a column, a link that sorts by it, or the other way round; the address keeps all else.

    The `sort` of the context is the column by which the rows are sorted, with `-` before it the other way round.
    """
    now = context["sort"]
    query = context["request"].GET.copy()
    for name in ("page", "adding"):
        query.pop(name, None)
    query["sort"] = f"-{column}" if now == column else column
    state = {column: "ascending", f"-{column}": "descending"}.get(now)
    return format_html(
        '<th scope="col"{}><a class="table__sort" href="?{}">{}</a></th>',
        format_html(' aria-sort="{}"', state) if state else "",
        query.urlencode(),
        words,
    )
