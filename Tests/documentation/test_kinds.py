"""What lays out sections knows no kind of section."""

import re
import unittest

import pages

CORE = pages.ROOT / "Sources/CollectionLayout"

# What every kind starts from.
SHARED = {"SectionLayout", "SectionKinds", "LayoutKind"}


class Kinds(unittest.TestCase):
    def test_no_kind_is_named_elsewhere(self):
        kinds = [path for path in (CORE / "Kinds").rglob("*.swift") if path.stem not in SHARED]
        declaration = re.compile(r"^(?:\w+ )*(?:struct|class|enum|protocol) (\w+)", re.MULTILINE)
        names = {name for path in kinds for name in declaration.findall(path.read_text())}
        self.assertIn("GridBuilder", names)
        self.assertLessEqual({path.stem for path in kinds if path.stem.endswith("Layout")}, names)
        word = re.compile(r"\b(?:%s)\b" % "|".join(sorted(names)))
        for path in CORE.rglob("*.swift"):
            if CORE / "Kinds" not in path.parents:
                with self.subTest(path.relative_to(CORE).as_posix()):
                    self.assertEqual(word.findall(path.read_text()), [])


if __name__ == "__main__":
    unittest.main()
