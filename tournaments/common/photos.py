"""Photos as evidence: what a camera sent becomes one small JPEG, with nothing of the file it came in but its pixels."""

import warnings
from dataclasses import dataclass
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from tournaments.common.refusals import InvalidInput

MAX_BYTES = 8 * 1024 * 1024
MAX_PIXELS = {"JPEG": 110_000_000, "MPO": 110_000_000, "PNG": 16_000_000, "WEBP": 16_000_000}
LONGER_SIDE = 1600  # of what is kept: enough to read a card's name on a table seen whole
QUALITY = 80
ONE_PICTURE = ("JPEG", "MPO")  # a phone's MPO holds small copies behind the first picture, which alone is read


@dataclass(frozen=True)
class Picture:
    """A JPEG that we wrote, and its size in pixels."""

    jpeg: bytes
    width: int
    height: int


def kept_picture(sent: bytes) -> Picture:
    """Decode a photo and write it anew: upright, at most 1600 pixels long, without EXIF, place or anything else.

    Takes JPEG, PNG and WebP of one frame. Sizes are read from the head of the file before a pixel is decoded, and a
    JPEG is decoded at a fraction of its size, so that none costs more than about 64 MB. Raises InvalidInput
    `photo_too_large`, `photo_unreadable`, `photo_too_many_pixels`, `photo_animated`.
    """
    if len(sent) > MAX_BYTES:
        raise InvalidInput("photo_too_large", _("This photo is larger than 8 MiB."))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the bounds here are ours, and lower
            return _written_anew(sent)
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError, IndexError, TypeError) as error:
        # What decoders raise on spoiled files; the sentence is the same for all of it.
        raise InvalidInput("photo_unreadable", _("This is no photo that can be read: JPEG, PNG or WebP.")) from error


def _written_anew(sent: bytes) -> Picture:
    with Image.open(BytesIO(sent), formats=("JPEG", "PNG", "WEBP")) as image:
        width, height = image.size
        if width * height > MAX_PIXELS[image.format or "PNG"]:
            raise _too_many_pixels()
        if image.format not in ONE_PICTURE and getattr(image, "n_frames", 1) > 1:
            raise InvalidInput("photo_animated", _("This picture moves: send a photo of one frame."))
        image.draft("RGB", (LONGER_SIDE, LONGER_SIDE))
        upright = ImageOps.exif_transpose(image).convert("RGB")
        upright.thumbnail((LONGER_SIDE, LONGER_SIDE))
        clean = Image.new("RGB", upright.size)  # carries no metadata over, whatever the format had
        clean.paste(upright)
        out = BytesIO()
        clean.save(out, "JPEG", quality=QUALITY, optimize=True)
        return Picture(out.getvalue(), *clean.size)


def _too_many_pixels() -> InvalidInput:
    return InvalidInput("photo_too_many_pixels", _("This picture has more pixels than a photo has."))
