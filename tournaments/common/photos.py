"""Photos as evidence: re-encode what a camera sent as a small JPEG that keeps nothing of the file but its pixels."""

import warnings
from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from tournaments.common.refusals import InvalidInput

MAX_BYTES = 8 * 1024 * 1024
# A JPEG may be larger, because it is decoded at a fraction of its size; the other formats are decoded whole.
MAX_PIXELS = {"JPEG": 110_000_000, "MPO": 110_000_000, "PNG": 16_000_000, "WEBP": 16_000_000}
LONGER_SIDE = 1600  # pixels of the stored picture: enough to read card names on a photo of the whole table
QUALITY = 80
ONE_PICTURE = ("JPEG", "MPO")  # a phone's MPO has small copies after its first picture; only the first is read


@dataclass(frozen=True)
class Picture:
    """A JPEG that was encoded here, and its size in pixels."""

    jpeg: bytes
    width: int
    height: int


def reencode_photo(sent: bytes) -> Picture:
    """Decode a photo and encode it again: upright, at most 1600 pixels long, without EXIF, location or other metadata.

    Accepts JPEG, PNG and WebP with one frame, up to `MAX_BYTES`. The size in pixels is read from the header before
    anything is decoded, and a JPEG is decoded at a fraction of its size, so no photo takes more than about 64 MB of
    memory. Raises InvalidInput `photo_too_large`, `photo_unreadable`, `photo_too_many_pixels` or `photo_animated`.
    """
    if len(sent) > MAX_BYTES:
        raise InvalidInput("photo_too_large", _("This photo is too large (the limit is 8 MiB)."))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # MAX_PIXELS is checked instead
            return _reencode(sent)
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError) as error:
        # Everything that decoders raise on damaged files; the reader gets the same message for all of it.
        raise InvalidInput(
            "photo_unreadable", _("This is not a photo that can be read: use JPEG, PNG or WebP.")
        ) from error


def _reencode(sent: bytes) -> Picture:
    with Image.open(BytesIO(sent), formats=("JPEG", "PNG", "WEBP")) as image:
        width, height = image.size
        if width * height > MAX_PIXELS[image.format or "PNG"]:
            raise _too_many_pixels()
        if image.format not in ONE_PICTURE and getattr(image, "n_frames", 1) > 1:
            raise InvalidInput("photo_animated", _("This picture is animated: send a still photo."))
        image.draft("RGB", (LONGER_SIDE, LONGER_SIDE))  # decodes a JPEG at a fraction of its size; else no effect
        upright = ImageOps.exif_transpose(image).convert("RGB")
        upright.thumbnail((LONGER_SIDE, LONGER_SIDE))
        clean = Image.new("RGB", upright.size)  # a new image carries no metadata over, whatever the format had
        clean.paste(upright)
        out = BytesIO()
        clean.save(out, "JPEG", quality=QUALITY, optimize=True)
        return Picture(out.getvalue(), *clean.size)


def _too_many_pixels() -> InvalidInput:
    return InvalidInput("photo_too_many_pixels", _("This photo has too many pixels: send a smaller one."))
