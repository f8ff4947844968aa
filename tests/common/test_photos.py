"""A photo is kept as pixels alone: small, upright, nothing else of its file; what is no photo is refused by name."""

import gzip
import struct
import tracemalloc
import zlib
from contextlib import suppress
from io import BytesIO

import pytest
from PIL import Image

from tests.refusals import assert_refused
from tournaments.common.photos import LONGER_SIDE, MAX_BYTES, kept_picture
from tournaments.common.refusals import InvalidInput

SECRET = b"somewhere-in-Nice"


def photo(size: tuple[int, int] = (400, 300), kind: str = "JPEG", **options: object) -> bytes:
    """A picture with a red left half."""
    image = Image.new("RGB", size, "blue")
    image.paste("red", (0, 0, size[0] // 2, size[1]))
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def with_exif(**more: object) -> bytes:
    """A photo that names a place, and that its camera held upside down."""
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = SECRET.decode(), 3
    exif.get_ifd(0x8825)[1] = "N"
    return photo(exif=exif, comment=SECRET, **more)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_photo_becomes_a_small_jpeg(kind: str) -> None:
    picture = kept_picture(photo((4000, 3000), kind))
    assert (picture.width, picture.height) == (LONGER_SIDE, 1200)
    with Image.open(BytesIO(picture.jpeg)) as image:
        assert (image.format, image.size) == ("JPEG", (1600, 1200))
    assert kept_picture(photo((4000, 3000), kind)) == picture, "the same photo has the same digest"


def test_nothing_of_the_file_but_its_pixels_is_kept_and_it_stands_upright() -> None:
    sent = with_exif()
    assert SECRET in sent
    picture = kept_picture(sent)
    assert SECRET not in picture.jpeg
    with Image.open(BytesIO(picture.jpeg)) as image:
        assert not image.getexif() and not image.info.get("comment")
        red, _green, blue = image.getpixel((10, 10))
        assert blue > red, "the camera was held upside down"


@pytest.mark.parametrize("tail", [b"<script>alert(1)</script>", b"PK\x03\x04 a zip", b"%PDF-1.7"])
def test_a_file_that_is_two_things_loses_the_other(tail: bytes) -> None:
    assert tail not in kept_picture(photo() + tail).jpeg


def _png_of(width: int, height: int) -> bytes:
    """The head of a PNG that claims a size, and hardly anything behind it."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def _png_with(name: bytes, body: bytes) -> bytes:
    """A small PNG with one more chunk behind its head: 25 bytes of header, and 8 of signature before it."""
    whole = photo((20, 20), "PNG")
    chunk = struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return whole[:33] + chunk + whole[33:]


MANY = zlib.compress(bytes(100 * 1024 * 1024))  # 100 MiB of zeros in 100 KB


def _animated(kind: str) -> bytes:
    out = BytesIO()
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "blue")]
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    return out.getvalue()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"", "photo_unreadable"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "photo_unreadable"),
        (b"GIF89a<script>", "photo_unreadable"),
        (photo(kind="GIF"), "photo_unreadable"),
        (photo()[:200], "photo_unreadable"),
        (photo()[:2000], "photo_unreadable"),
        (_png_of(100, 100), "photo_unreadable"),
        (_png_of(5000, 5000), "photo_too_many_pixels"),
        (_png_of(60_000, 60_000), "photo_too_many_pixels"),
        (_png_of(2**31 - 1, 2**31 - 1), "photo_too_many_pixels"),
        (_animated("PNG"), "photo_animated"),
        (_animated("WEBP"), "photo_animated"),
        (photo() + b"\0" * MAX_BYTES, "photo_too_large"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_what_is_no_photo_is_refused_by_name(sent: bytes, code: str) -> None:
    with assert_refused(code):
        kept_picture(sent)


@pytest.mark.parametrize(
    ("chunk", "body"), [(b"zTXt", b"a\0\0" + MANY), (b"iTXt", b"a\0\1\0\0\0" + MANY), (b"iCCP", b"a\0\0" + MANY)]
)
def test_what_is_packed_beside_the_pixels_is_not_unpacked(chunk: bytes, body: bytes) -> None:
    kept_picture(photo())  # loads what a decoder needs
    tracemalloc.start()
    try:
        with suppress(InvalidInput):
            assert len(kept_picture(_png_with(chunk, body)).jpeg) < 10_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20 * 1024 * 1024


@pytest.mark.parametrize("kind", [gzip.compress(bytes(50_000_000)), b"PK\x03\x04" + bytes(1000)])
def test_a_packed_file_is_no_photo(kind: bytes) -> None:
    with assert_refused("photo_unreadable"):
        kept_picture(kind)


def test_the_first_picture_of_what_a_phone_writes_is_read() -> None:
    out = BytesIO()
    Image.new("RGB", (200, 100), "red").save(
        out, "MPO", save_all=True, append_images=[Image.new("RGB", (20, 10), "blue")]
    )
    assert (kept_picture(out.getvalue()).width, kept_picture(out.getvalue()).height) == (200, 100)
