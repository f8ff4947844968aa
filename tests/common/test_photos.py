"""A photo is stored as pixels only: small, upright, without the rest of its file. Other files are refused by code."""

import gzip
import struct
import tracemalloc
import zlib
from contextlib import suppress
from io import BytesIO

import pytest
from PIL import Image

from tests.refusals import assert_refused
from tournaments.common.photos import LONGER_SIDE, MAX_BYTES, reencode_photo
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
    """A photo with a location, taken with the camera upside down."""
    exif = Image.Exif()
    exif[0x010E], exif[0x0112] = SECRET.decode(), 3
    exif.get_ifd(0x8825)[1] = "N"
    return photo(exif=exif, comment=SECRET, **more)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.slow
def test_a_photo_becomes_a_small_jpeg(kind: str) -> None:
    picture = reencode_photo(photo((4000, 3000), kind))
    assert (picture.width, picture.height) == (LONGER_SIDE, 1200)
    with Image.open(BytesIO(picture.jpeg)) as image:
        assert (image.format, image.size) == ("JPEG", (1600, 1200))
    assert reencode_photo(photo((4000, 3000), kind)) == picture, "the same photo has the same digest"


def test_only_the_pixels_of_a_photo_are_kept_and_they_are_upright() -> None:
    sent = with_exif()
    assert SECRET in sent
    picture = reencode_photo(sent)
    assert SECRET not in picture.jpeg
    with Image.open(BytesIO(picture.jpeg)) as image:
        assert not image.getexif() and not image.info.get("comment")
        red, _green, blue = image.getpixel((10, 10))
        assert blue > red, "the camera was held upside down"


@pytest.mark.parametrize("tail", [b"<script>alert(1)</script>", b"PK\x03\x04 a zip", b"%PDF-1.7"])
def test_a_file_that_is_also_something_else_keeps_only_its_photo(tail: bytes) -> None:
    assert tail not in reencode_photo(photo() + tail).jpeg


def _png_of(width: int, height: int) -> bytes:
    """A PNG whose header claims a size, with hardly any data after it."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b"")


def _png_with(name: bytes, body: bytes) -> bytes:
    """A small PNG with one more chunk after its header, at byte 33: 8 of signature and 25 of header."""
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
def test_a_file_that_is_not_a_photo_is_refused_with_its_code(sent: bytes, code: str) -> None:
    with assert_refused(code):
        reencode_photo(sent)


@pytest.mark.parametrize(
    ("chunk", "body"), [(b"zTXt", b"a\0\0" + MANY), (b"iTXt", b"a\0\1\0\0\0" + MANY), (b"iCCP", b"a\0\0" + MANY)]
)
def test_compressed_metadata_is_not_decompressed(chunk: bytes, body: bytes) -> None:
    reencode_photo(photo())  # loads the decoder first, so that its memory is not counted
    tracemalloc.start()
    try:
        with suppress(InvalidInput):
            assert len(reencode_photo(_png_with(chunk, body)).jpeg) < 10_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20 * 1024 * 1024


@pytest.mark.parametrize("kind", [gzip.compress(bytes(50_000_000)), b"PK\x03\x04" + bytes(1000)])
def test_a_compressed_file_is_not_a_photo(kind: bytes) -> None:
    with assert_refused("photo_unreadable"):
        reencode_photo(kind)


def test_only_the_first_picture_of_a_phones_mpo_file_is_read() -> None:
    out = BytesIO()
    Image.new("RGB", (200, 100), "red").save(
        out, "MPO", save_all=True, append_images=[Image.new("RGB", (20, 10), "blue")]
    )
    assert (reencode_photo(out.getvalue()).width, reencode_photo(out.getvalue()).height) == (200, 100)
