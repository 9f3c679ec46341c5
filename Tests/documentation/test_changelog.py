"""The changelog and the program agree."""

import re
import subprocess
import unittest

import pages
from test_sessions import PROGRAM


class Changelog(unittest.TestCase):
    def test_its_latest_version_is_the_program_s(self):
        versions = re.findall(
            r"^## \[(\d+\.\d+\.\d+)\]", (pages.ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        printed = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)
        self.assertEqual(versions[0], printed.stdout.strip())
