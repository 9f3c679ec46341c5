"""The pages hang together."""

import unittest

import pages


class Links(unittest.TestCase):
    pages = {page.path: page for page in pages.all_pages()}

    def test_every_link_leads_somewhere(self):
        for page in self.pages.values():
            for line, target in page.links:
                if target.startswith(("https://", "http://")):
                    continue
                with self.subTest(f"{page.name}:{line}: {target}"):
                    file, _, anchor = target.partition("#")
                    path = (page.path.parent / file).resolve() if file else page.path
                    self.assertTrue(path.exists(), "there is no such file")
                    if anchor:
                        self.assertIn(anchor, self.pages[path].anchors)

    def test_the_readme_lists_every_page(self):
        readme = self.pages[pages.ROOT / "README.md"]
        linked = {(pages.ROOT / target.partition("#")[0]).resolve() for _, target in readme.links}
        self.assertEqual([p.name for p in self.pages.values() if p.path not in linked],
                         ["README.md"])

    def test_every_picture_is_shown(self):
        shown = {(page.path.parent / target).resolve()
                 for page in self.pages.values() for _, target in page.links}
        # Pictures in a table are HTML, so that they have a width.
        text = "".join(page.path.read_text() for page in self.pages.values())
        pictures = (pages.ROOT / "Documentation").glob("*.svg")
        self.assertEqual([p.name for p in pictures
                          if p not in shown and f'src="Documentation/{p.name}"' not in text], [])

    def test_what_is_not_run_says_why(self):
        for page in self.pages.values():
            for block in page.blocks:
                if block.language in ("console", "bash", "shell"):
                    with self.subTest(f"{page.name}:{block.line}"):
                        self.assertTrue(block.is_skipped)

    def test_the_readme_is_short(self):
        self.assertLessEqual(len((pages.ROOT / "README.md").read_text().splitlines()), 250)
