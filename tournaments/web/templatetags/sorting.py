"""Template tag for the header of a sortable table column."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def sort_column(context: template.Context, column: str, words: str) -> SafeString:
    """The header cell of a column, with a link that sorts by it, or reverses the order if it is sorted by it already.

    The context variable `sort` is the column by which the rows are sorted, with a leading `-` for descending order. The
    link keeps the rest of the query string.
    """
    now = context["sort"]
    query = context["request"].GET.copy()
    # A new order starts at its first page, and must not reopen the form that `adding` opens.
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
