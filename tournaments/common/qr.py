"""QR codes of addresses."""

import segno


def modules(text: str) -> list[list[bool]]:
    """The modules of a QR code row by row, without its quiet zone; dark ones are True. Error correction M."""
    return [[bool(module) for module in row] for row in segno.make_qr(text, error="m").matrix]


def svg(text: str) -> str:
    """A QR code as an inline SVG that fills its box, dark on white with its quiet zone."""
    drawn: str = segno.make_qr(text, error="m").svg_inline(omitsize=True, border=4, light="#fff", dark="#000")
    return drawn
