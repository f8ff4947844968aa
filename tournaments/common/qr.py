"""QR codes for URLs."""

import segno


def modules(text: str) -> list[list[bool]]:
    """The modules of a QR code, row by row, without its quiet zone. True is dark. Error correction level M."""
    return [[bool(module) for module in row] for row in segno.make_qr(text, error="m").matrix]


def svg(text: str) -> str:
    """A QR code as an inline SVG that fills its box: dark on white, with a quiet zone of four modules."""
    drawn: str = segno.make_qr(text, error="m").svg_inline(omitsize=True, border=4, light="#fff", dark="#000")
    return drawn
