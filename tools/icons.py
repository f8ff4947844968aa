"""Draw the icons of the installed app from `mark.svg`: `python tools/icons.py`. Needs Chromium.

Each PNG in `web/static/web/app/` is the mark, in white on the green of the site. A maskable icon keeps the mark within
the circle that every system shows. The badge, which Android shows in its status bar, is the mark alone.
"""

import shutil
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

BASE = Path(__file__).resolve().parents[1]
STATIC = BASE / "tournaments" / "web" / "static" / "web"
GREEN = "#0e5a4a"
# The file's name: its width in pixels, the share of it that the mark takes, and the radius of its corners as a share.
ICONS = {
    "icon-192.png": (192, 0.68, 0.18),
    "icon-512.png": (512, 0.68, 0.18),
    "maskable-512.png": (512, 0.52, 0.0),
    "apple-touch-icon.png": (180, 0.62, 0.0),  # iOS rounds the corners itself
}
BADGE = ("badge-96.png", 96)


def main() -> int:
    """Draw every icon; returns the exit code."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("no Chromium on this machine: apt install chromium", file=sys.stderr)
        return 1
    mark = (STATIC / "mark.svg").read_text().replace(f'fill="{GREEN}"', 'fill="#fff"')
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        for name, (width, share, radius) in ICONS.items():
            _draw(page, name, width, _icon(mark, width, share, radius), colours=64)
        _draw(page, BADGE[0], BADGE[1], _icon(mark, BADGE[1], 0.9, 0.0, ground="transparent"))
        browser.close()
    return 0


def _icon(mark: str, width: int, share: float, radius: float, ground: str = GREEN) -> str:
    size = round(width * share)
    return (
        f"<style>body {{ margin: 0 }} div {{ width: {width}px; height: {width}px; display: grid; place-items: center;"
        f" background: {ground}; border-radius: {round(width * radius)}px }} svg {{ width: {size}px }}</style>"
        f"<div>{mark}</div>"
    )


def _draw(page: Page, name: str, width: int, content: str, colours: int | None = None) -> None:
    page.set_viewport_size({"width": width, "height": width})
    page.set_content(content)
    image = Image.open(BytesIO(page.screenshot(omit_background=True)))
    if colours:
        image = image.quantize(colours, method=Image.Quantize.FASTOCTREE)
    image.save(STATIC / "app" / name, optimize=True)


if __name__ == "__main__":
    sys.exit(main())
