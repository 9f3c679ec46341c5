#!/usr/bin/env python3
"""Takes the pages' pictures of the viewer from a running server.

    screenshots.py [http://localhost:8080]

Writes PNG files beside itself. It needs Playwright from PyPI, and Debian's packages chromium and
fonts-inter.
"""

import pathlib
import re
import sys

from playwright.sync_api import Page, expect, sync_playwright

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080"
HERE = pathlib.Path(__file__).resolve().parent


def choose(page: Page, kind: str) -> None:
    page.locator(".kind", has_text=re.compile(f"^{kind}$")).click()
    expect(page.locator("#stage-title")).to_have_text(kind)


def go(page: Page, item: str) -> None:
    page.get_by_label("Item", exact=True).fill(item)
    page.get_by_role("button", name="Go", exact=True).click()
    expect(page.locator("#said")).to_contain_text("is at")


def first_page(page: Page) -> None:
    """As it opens."""


def in_the_middle(page: Page) -> None:
    choose(page, "waterfall")
    go(page, "41,000")


def on_a_phone(page: Page) -> None:
    choose(page, "compositional")


def in_a_sheet(page: Page) -> None:
    page.get_by_role("button", name="Panel", exact=True).click()
    page.locator("#panel").evaluate("panel => { panel.scrollTop = panel.querySelector('.tabs').offsetTop - 60 }")


def two_panes(page: Page) -> None:
    choose(page, "waterfall")
    page.get_by_role("button", name="Second pane").click()
    expect(page.locator("#second .cell").first).to_be_visible()


def sections(page: Page) -> None:
    choose(page, "compositional")
    page.get_by_role("tab", name="Items").click()
    page.locator("#panel").evaluate("panel => { panel.scrollTop = panel.querySelector('.tabs').offsetTop - 16 }")


def code(page: Page) -> None:
    choose(page, "gallery")
    page.get_by_role("tab", name="Code").click()
    page.get_by_role("radio", name="JavaScript").check()
    page.locator("#panel").evaluate("panel => { panel.scrollTop = panel.scrollHeight }")


PICTURES = [
    ("viewer", first_page, {"width": 1280, "height": 820}, "light"),
    ("viewer-dark", in_the_middle, {"width": 1280, "height": 820}, "dark"),
    ("viewer-two", two_panes, {"width": 1280, "height": 820}, "light"),
    ("viewer-sections", sections, {"width": 1280, "height": 820}, "light"),
    ("viewer-code", code, {"width": 1280, "height": 820}, "dark"),
    ("viewer-narrow", on_a_phone, {"width": 390, "height": 844}, "light"),
    ("viewer-sheet", in_a_sheet, {"width": 390, "height": 844}, "dark"),
]


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, act, viewport, scheme in PICTURES:
            page = browser.new_page(viewport=viewport, color_scheme=scheme)
            page.goto(SERVER)
            expect(page.locator(".picture")).to_have_count(10)
            act(page)
            expect(page.locator(".pane .cell").first).to_be_visible()
            page.mouse.move(0, 0)
            page.evaluate("document.activeElement.blur()")
            # The stream of events never ends, so the network is never idle.
            page.wait_for_timeout(500)
            page.wait_for_function("() => document.getAnimations().length === 0")
            page.screenshot(path=HERE / f"{name}.png", animations="disabled")
        browser.close()


if __name__ == "__main__":
    main()
