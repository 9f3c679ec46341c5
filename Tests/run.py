#!/usr/bin/env python3
"""Runs every test and says at the end how it went: Tests/run.py

ONLY=core,find  runs these steps alone, and builds no more than they need.

After the build, several steps run side by side. Each is a line on the terminal when it ends; what it
prints goes to a log of its own in .build/test.
The last line says that all passed, or what failed and which command runs that alone.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[1]
LOGS = ROOT / ".build/test"
PROGRAM = ".build/debug/layoutd"
# So many steps run at a time. Most of them wait more than they compute.
SIDE_BY_SIDE = 6
# So many failures are told; the others are in the log.
TOLD_FAILURES = 20


@dataclasses.dataclass
class Result:
    passed: int = 0
    skipped: int = 0
    # What failed, each with what is known of it and the command that runs it alone.
    failures: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)
    summary: str = "ok"


class Progress:
    """What runs now, in one line of a terminal. Lanes share it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.running: dict[str, str] = {}

    def tell(self, step: str, progress: str) -> None:
        with self.lock:
            self.running[step] = progress
            self.show("   ".join(f"{name} {text}" for name, text in self.running.items())[:100])

    def end(self, step: str, lines: str) -> None:
        """Prints what came of a step."""
        with self.lock:
            self.running.pop(step, None)
            self.show("")
            print(lines, flush=True)

    def show(self, line: str) -> None:
        """Replaces the line on a terminal."""
        if sys.stdout.isatty():
            print(f"\r\033[K{line}", end="", flush=True)


class Step:
    def __init__(
        self, name: str, command: list[str], alone: str, folder: str = ".", **environment: str
    ) -> None:
        self.name = name
        self.command = command
        self.alone = alone
        self.folder = ROOT / folder
        self.environment = environment

    def run(self, progress: Progress) -> Result:
        """Runs the command, tells its progress, and reads its result."""
        started = time.monotonic()
        lines = []
        with (LOGS / f"{self.name}.log").open("w") as log:
            process = subprocess.Popen(
                self.command, cwd=self.folder, env=os.environ | self.environment, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            for line in process.stdout:
                log.write(line)
                lines.append(line.rstrip("\n"))
                self.hear(line)
                progress.tell(self.name, f"{time.monotonic() - started:.0f} s")
            # Also the time of all that the step has started.
            _, state, usage = os.wait4(process.pid, 0)
            status = process.returncode = os.waitstatus_to_exitcode(state)
        result = self.result(status, lines)
        if status != 0 and not result.failures:
            told = [line for line in lines if "error:" in line][:15] or lines[-15:]
            result.failures.append((self.name, "\n".join(told), self.alone))
        if result.failures:
            result.summary += f", {len(result.failures)} failed" if result.passed else ""
            result.summary = result.summary if result.passed else "failed"
        said = [f"{self.name:15} {result.summary:34} {time.monotonic() - started:4.0f} s, "
                f"{usage.ru_utime + usage.ru_stime:4.0f} s of processors"]
        for what, detail, _ in result.failures[:TOLD_FAILURES]:
            said += [f"  {what}"] + [f"    {line}" for line in detail.splitlines()]
        progress.end(self.name, "\n".join(said))
        return result

    def hear(self, line: str) -> None:
        """A line of what the step prints."""

    def result(self, status: int, lines: list[str]) -> Result:
        return Result()


class SwiftTests(Step):
    """The tests of some targets."""

    # Each plans the build before its tests start, and of two at once one finds a database locked.
    planning = threading.Lock()
    is_planning = False

    def __init__(self, name: str, *targets: str) -> None:
        pattern = f"^({'|'.join(targets)})\\."
        self.targets = targets
        super().__init__(
            name,
            ["Tests/swift", "test", "--skip-build", "--ignore-lock", "--filter", pattern,
             "--xunit-output", f"{LOGS / name}.xml"],
            f"Tests/swift test --filter '{pattern}'")
        # `swift test` puts the results of Swift Testing beside those of XCTest.
        self.results = LOGS / f"{name}-swift-testing.xml"
        self.results.unlink(missing_ok=True)

    def run(self, progress: Progress) -> Result:
        self.planning.acquire()
        self.is_planning = True
        try:
            return super().run(progress)
        finally:
            self.plan_is_made()

    def hear(self, line: str) -> None:
        if "started" in line:
            self.plan_is_made()

    def plan_is_made(self) -> None:
        if self.is_planning:
            self.is_planning = False
            self.planning.release()

    def result(self, status: int, lines: list[str]) -> Result:
        result = Result()
        # Without the file the process has died, or nobody knows what it has found.
        if not self.results.exists():
            result.failures.append((self.name, "\n".join(lines[-15:]), self.alone))
            return result
        try:
            cases = xml.etree.ElementTree.parse(self.results)
        except xml.etree.ElementTree.ParseError:
            # It has died while it wrote.
            return result
        for case in cases.iter("testcase"):
            faults = case.findall("failure") + case.findall("error")
            name = f"{case.get('classname')}/{case.get('name')}"
            if faults:
                detail = "\n".join(fault.get("message", "") for fault in faults)
                pattern = re.escape(re.sub(r"\(.*", "", name)).replace("\\-", "-")
                alone = f"Tests/swift test --filter '{pattern}'"
                result.failures.append((name, detail, alone))
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


def run_side_by_side(steps: list[Step], progress: Progress) -> list[Result]:
    """Starts the steps in their order, SIDE_BY_SIDE of them at a time."""
    with concurrent.futures.ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        return list(pool.map(lambda step: step.run(progress), steps))


def build(steps: list[Step]) -> Step:
    """What comes before the steps: the program, and the tests in Swift if they are among the steps."""
    has_tests = any(isinstance(step, SwiftTests) for step in steps)
    command = f"Tests/swift build {'--build-tests' if has_tests else '--product layoutd'}"
    return Step("build", command.split(), command)


def main() -> int:
    LOGS.mkdir(parents=True, exist_ok=True)
    contract = Contract("contract", ["Tests/contract/run", PROGRAM], "make contract")
    python = [sys.executable, "-B", "-m", "unittest"]

    def browser(group: str) -> PythonTests:
        return PythonTests(group, ["Tests/browser/run", group], f"Tests/browser/run {group}")

    # No step but the first builds: builds in one folder wait for each other. Those that take long
    # come first.
    steps = [
        contract,
        browser("viewer"),
        SwiftTests("service", "LayoutServiceTests"),
        browser("client"),
        SwiftTests(
            "core", "CollectionLayoutTests", "LayoutSessionsTests", "TextMeasureTests",
            "WireFormatTests"),
        PythonTests("process", python, "make process", "Tests/process"),
        browser("pages"),
        SwiftTests(
            "world", "MicroHTTPTests", "RedisStoreTests",
            "RobustnessTests", "SystemTests"),
        browser("panel"),
        browser("firefox"),
        PythonTests("documentation", python, "make documentation", "Tests/documentation"),
        PythonTests(
            "nginx", [*python, "discover", "Tests/nginx"], "make nginx",
            LAYOUTD=f"{ROOT / PROGRAM}"),
        PythonTests("clients", ["Tests/clients/run"], "make clients"),
        Step("format", ["make", "--no-print-directory", "lint"], "make lint"),
        PythonTests("cbor", ["Tests/cbor/run"], "make cbor"),
        PythonTests("packaging", python, "make test ONLY=packaging", "Tests/packaging"),
        PythonTests("hostile", python, "make hostile", "Tests/hostile"),
        PythonTests("find", python, "make find", "Tests/find"),
        PythonTests("forests", python, "make forests", "Tests/forests"),
        PythonTests("load", python, "make load-tests", "Tests/load"),
        PythonTests("arrangements", python, "make arrangements", "Tests/arrangements"),
        PythonTests("application", python, "make application", "Tests/application"),
    ]
    if only := os.environ.get("ONLY"):
        names = only.split(",")
        if unknown := set(names) - {step.name for step in steps}:
            print(f"no step: {', '.join(unknown)}; there are {', '.join(step.name for step in steps)}")
            return 2
        steps = [step for step in steps if step.name in names]
        # The same for all, or each step would plan the build anew.
        targets = [name for step in steps if isinstance(step, SwiftTests) for name in step.targets]
        os.environ["ONLY_TESTS"] = ",".join(targets)
    print(f"The full logs are in {LOGS.relative_to(ROOT)}.", flush=True)
    progress = Progress()
    built = build(steps).run(progress)
    results = [built] + ([] if built.failures else run_side_by_side(steps, progress))
    passed = sum(result.passed for result in results)
    skipped = sum(result.skipped for result in results)
    failures = [failure for result in results for failure in result.failures]
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
