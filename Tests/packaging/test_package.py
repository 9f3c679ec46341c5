"""The package and the archive of the program: what is in them, its service, and its answers.

Each day they have the program that the tests built; with TEST_ALL=1 that of `make deb`.
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from program import PROGRAM, ROOT, Program


def output(*command) -> str:
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout


class PackageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        folder = made = pathlib.Path(temporary.name)
        if os.environ.get("TEST_ALL"):
            output("make", "-C", ROOT, "deb")
            made = ROOT / ".build/packages"
        else:
            output(ROOT / "Packaging/package", PROGRAM, made)
        [cls.package], [archive] = made.glob("*.deb"), made.glob("*.tar.gz")
        cls.installed, cls.unpacked = folder / "package", folder / "archive"
        output("dpkg", "-x", cls.package, cls.installed)
        cls.unpacked.mkdir()
        output("tar", "-C", cls.unpacked, "-xzf", archive)

    def text(self, path: str) -> str:
        return (self.installed / path).read_text()

    def test_the_program_answers_from_both(self) -> None:
        for folder in [self.installed, self.unpacked]:
            with Program(program=folder / "usr/bin/layoutd") as server:
                path = f"/layouts/{server.prepare('grid', {'bounds': {'width': 300}, 'sections': [{'items': 9}]})}"
                self.assertEqual(server.request("GET", path)["counts"]["cells"], 9)

    def test_both_have_the_same_files(self) -> None:
        files = [{str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                 for folder in [self.installed, self.unpacked]]
        readme = files[1].pop("usr/share/doc/layoutd/README").decode()
        self.assertEqual(*files)
        self.assertIn(output("dpkg-deb", "-f", self.package, "Depends"), readme)

    def test_systemd_takes_the_service(self) -> None:
        unit = self.installed / "layoutd.service"
        unit.write_text(self.text("lib/systemd/system/layoutd.service").replace("=/", f"={self.installed}/"))
        self.addCleanup(unit.unlink)
        result = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_the_page_shows_the_service(self) -> None:
        page = (ROOT / "Documentation/operations.md").read_text()
        self.assertIn(f"```ini\n{self.text('lib/systemd/system/layoutd.service')}```", page)

    def test_options_are_in_the_man_page_and_those_of_the_service_are_options(self) -> None:
        program = self.installed / "usr/bin/layoutd"
        names = set(re.findall(r"^  (--[a-z-]+)", output(program, "--help"), re.MULTILINE))
        self.assertGreater(len(names), 30)
        page = gzip.decompress((self.installed / "usr/share/man/man1/layoutd.1.gz").read_bytes()).decode()
        documented = set(re.findall(r"\\fB(\\-\\-[a-z\\-]+)\\fR", page))
        self.assertEqual({name.replace("\\", "") for name in documented} - {"--help"}, names)
        variables = re.findall(r"^(LAYOUTD_\w+)=", self.text("etc/default/layoutd"), re.MULTILINE)
        self.assertTrue(variables)
        self.assertLessEqual({f"--{name[8:].lower().replace('_', '-')}" for name in variables}, names)

    def test_apt_installs_what_the_program_needs(self) -> None:
        makefile = (ROOT / "Makefile").read_text()
        packages = re.search(r"^RUNTIME_PACKAGES = ((?:.*\\\n)*.*)", makefile, re.MULTILINE)[1]
        depends = output("dpkg-deb", "-f", self.package, "Depends")
        self.assertLessEqual(
            set(packages.replace("\\", "").split()), set(re.findall(r"([a-z0-9.+-]+) \(", depends)))

    def test_lintian_finds_no_error(self) -> None:
        # Only the program of `make dist` does without libraries in a folder of Swift.
        suppressed = [] if os.environ.get("TEST_ALL") else ["--suppress-tags=custom-library-search-path"]
        result = subprocess.run(
            ["lintian", "--allow-root", "--fail-on=error", *suppressed, self.package],
            capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
