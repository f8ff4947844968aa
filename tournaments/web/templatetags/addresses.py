"""Django's `url` tag, which remembers the addresses it has made: a page has dozens, and making one takes long."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.base import FilterExpression, Node, Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as djangos
from django.urls import get_script_prefix, get_urlconf, reverse
from django.utils.html import escape

register = template.Library()
MOST = 20_000  # addresses remembered by a process, about 200 bytes each


class Address(Node):
    """`{% url name argument… %}`: the address of a view, as text that is safe in HTML."""

    def __init__(self, name: FilterExpression, args: list[FilterExpression]) -> None:
        self._name = name
        self._args = args

    def render(self, context: Context) -> str:
        """The address; raises NoReverseMatch if there is none."""
        args = tuple(str(arg.resolve(context)) for arg in self._args)
        return address_of(self._name.resolve(context), args, get_urlconf(), get_script_prefix())


@lru_cache(MOST)
def address_of(name: str, args: tuple[str, ...], urls: str | None, _prefix: str) -> str:
    """The address of a view. `_prefix` is where the site begins, which `reverse` puts before it."""
    return escape(reverse(name, urlconf=urls, args=args))


@register.tag
def url(parser: Parser, token: Token) -> Any:
    """Parse the tag; what it has besides positional arguments (`as`, keywords) is left to Django."""
    found: URLNode = djangos(parser, token)
    return found if found.kwargs or found.asvar else Address(found.view_name, found.args)
