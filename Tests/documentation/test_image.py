"""The image has the fonts that the examples of cards need."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[2]


class ImageTests(unittest.TestCase):
    def test_the_image_has_the_fonts_of_the_examples(self) -> None:
        page = (ROOT / "Documentation/text.md").read_text()
        package = re.search(r"Its fonts are those of Debian's package `(.+?)`", page)[1]
        stage = (ROOT / "Dockerfile").read_text().split("\nFROM ")[-1]
        self.assertIn(f" {package} ", stage)


if __name__ == "__main__":
    unittest.main()
