#!/usr/bin/env python3
"""Runs every test and says at the end how it went: Tests/run.py

Each step is a line on the terminal; what the steps print goes to .build/test.log. The last line
says that all passed, or what failed and which command runs that alone.
"""

import dataclasses
import pathlib
import re
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOG = ROOT / ".build/test.log"
RESULTS = ROOT / ".build/test.xml"
# `swift test` puts the results of Swift Testing beside those of XCTest.
SWIFT_TESTING_RESULTS = ROOT / ".build/test-swift-testing.xml"
# So many failures are told; the others are in the log.
TOLD_FAILURES = 20


@dataclasses.dataclass
class Result:
    passed: int = 0
    skipped: int = 0
    # What failed, each with what is known of it and the command that runs it alone.
    failures: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    summary: str = "ok"


class Step:
    def __init__(self, name: str, command: list[str], alone: str) -> None:
        self.name = name
        self.command = command
        self.alone = alone

    def run(self, log) -> Result:
        """Runs the command, tells its progress, and reads its result."""
        started = time.monotonic()
        log.write(f"\n=== {self.name}: {' '.join(self.command)}\n")
        process = subprocess.Popen(
            self.command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace")
        lines = []
        if not sys.stdout.isatty():
            print(f"{self.name} …", flush=True)
        for line in process.stdout:
            log.write(line)
            lines.append(line.rstrip("\n"))
            self.tell(f"{time.monotonic() - started:4.0f} s  {line.strip()[:60]}")
        status = process.wait()
        log.flush()
        result = self.result(status, lines)
        if status != 0 and not result.failures:
            told = [line for line in lines if "error:" in line][:15] or lines[-15:]
            result.failures.append((self.name, "\n".join(told), self.alone))
        if result.failures:
            result.summary += f", {len(result.failures)} failed" if result.passed else ""
            result.summary = result.summary if result.passed else "failed"
        self.tell("")
        print(f"{self.name:15} {result.summary:34} {time.monotonic() - started:4.0f} s", flush=True)
        for what, detail, _ in result.failures[:TOLD_FAILURES]:
            print(f"  {what}\n" + "".join(f"    {line}\n" for line in detail.splitlines()), end="")
        return result

    def tell(self, progress: str) -> None:
        """Replaces the line on a terminal."""
        if sys.stdout.isatty():
            print(f"\r\033[K{self.name:15} {progress}" if progress else "\r\033[K", end="", flush=True)

    def result(self, status: int, lines: list[str]) -> Result:
        return Result()


class SwiftTests(Step):
    def result(self, status: int, lines: list[str]) -> Result:
        result = Result()
        # Without the file the process has died.
        if not SWIFT_TESTING_RESULTS.exists():
            return result
        for case in xml.etree.ElementTree.parse(SWIFT_TESTING_RESULTS).iter("testcase"):
            faults = case.findall("failure") + case.findall("error")
            name = f"{case.get('classname')}/{case.get('name')}"
            if faults:
                detail = "\n".join(fault.get("message", "") for fault in faults)
                pattern = re.escape(re.sub(r"\(.*", "", name)).replace("\\-", "-")
                result.failures.append((name, detail, f"swift test --filter '{pattern}'"))
            elif case.find("skipped") is not None:
                result.skipped += 1
            else:
                result.passed += 1
        result.summary = f"{result.passed:,} passed"
        return result


class Contract(Step):
    requests = 0

    def result(self, status: int, lines: list[str]) -> Result:
        counts = re.findall(r"([\d,]+) (generated|passed|skipped)\b", "\n".join(lines[-15:]))
        numbers = {name: int(number.replace(",", "")) for number, name in counts}
        self.requests = numbers.get("generated", 0)
        return Result(
            skipped=numbers.get("skipped", 0), summary=f"{self.requests:,} requests")


class PythonTests(Step):
    """A step whose tests Python's unittest runs."""

    def result(self, status: int, lines: list[str]) -> Result:
        ran = re.search(r"^Ran (\d+) tests?", "\n".join(lines), re.MULTILINE)
        skipped = re.search(r"skipped=(\d+)", lines[-1] if lines else "")
        result = Result(skipped=int(skipped[1]) if skipped else 0)
        # A test that has several failures counts once.
        failed = {line.split("(")[1].split(")")[0] for line in lines
                  if line.startswith(("FAIL: ", "ERROR: ")) and "(" in line}
        for name in sorted(failed):
            rest = lines[next(i for i, line in enumerate(lines) if f"({name})" in line):]
            end = next((i for i, line in enumerate(rest) if line.startswith("=====")), len(rest))
            result.failures.append((name, "\n".join(rest[:min(end, 15)]), self.alone))
        result.passed = (int(ran[1]) if ran else 0) - len(failed) - result.skipped
        result.summary = f"{result.passed:,} passed"
        return result


def main() -> int:
    LOG.parent.mkdir(exist_ok=True)
    for results in (RESULTS, SWIFT_TESTING_RESULTS):
        results.unlink(missing_ok=True)
    contract = Contract("contract", ["Tests/contract/run", ".build/debug/layoutd"], "make contract")
    steps = [
        Step("format", ["make", "--no-print-directory", "lint"], "make lint"),
        Step("build", ["swift", "build", "--build-tests"], "swift build --build-tests"),
        SwiftTests(
            "tests", ["swift", "test", "--skip-build", "--xunit-output", f"{RESULTS}"],
            "swift test"),
        contract,
        PythonTests(
            "documentation", ["make", "--no-print-directory", "documentation"],
            "make documentation"),
        PythonTests("cbor", ["make", "--no-print-directory", "cbor"], "make cbor"),
        PythonTests("nginx", ["make", "--no-print-directory", "nginx"], "make nginx"),
        PythonTests("browser", ["make", "--no-print-directory", "browser"], "make browser"),
        PythonTests("load", ["make", "--no-print-directory", "load-tests"], "make load-tests"),
    ]
    print(f"The full log is in {LOG.relative_to(ROOT)}.", flush=True)
    passed = skipped = 0
    failures = []
    with LOG.open("w") as log:
        for step in steps:
            result = step.run(log)
            passed += result.passed
            skipped += result.skipped
            failures += result.failures
            if step.name == "build" and result.failures:
                break
    print(f"{passed} passed, {len(failures)} failed")
    if not failures:
        print(f"All passed: {passed:,} tests, {contract.requests:,} contract requests, "
              f"{skipped} skipped")
        return 0
    commands = list(dict.fromkeys(command for _, _, command in failures))
    print(f"Failed: {', '.join(what for what, _, _ in failures[:TOLD_FAILURES])}. "
          f"To run that alone: {' ; '.join(commands[:TOLD_FAILURES])}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
