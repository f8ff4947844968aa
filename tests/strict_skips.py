"""A pytest plugin (`-p tests.strict_skips`): reports whether a browser was found; with REQUIRE_SERVICES=1, skips fail.

A skipped test proves nothing. Where all services are available, two reasons are accepted: missing data, and a missing
history: tests that read `../shared/data`, or an earlier commit, say so in their reason.
"""

import os
import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
EXCUSES = ("shared/data", "the history of the project")


def skip_reasons(config: pytest.Config) -> list[str]:
    """A line `file:line: reason` for every skip of the session, with or without xdist."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    reports = reporter.stats.get("skipped", []) if reporter else []
    return [_reason(report.longrepr) for report in reports]


def _reason(longrepr: object) -> str:
    if isinstance(longrepr, tuple) and len(longrepr) == 3:
        file, line, reason = longrepr
        return f"{file}:{line}: {reason}"
    return str(longrepr)


def _unexcused(config: pytest.Config) -> list[str]:
    if os.environ.get("REQUIRE_SERVICES") != "1" or hasattr(config, "workerinput"):
        return []
    return [reason for reason in skip_reasons(config) if not any(excuse in reason for excuse in EXCUSES)]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a session that passed but skipped a test without an accepted reason."""
    if exitstatus == pytest.ExitCode.OK and _unexcused(session.config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report the browser, and the skips that count as failures."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    terminalreporter.write_line(
        f"browser tests: {f'with {found}' if found else 'no Chromium found, so they are skipped'}"
    )
    for reason in _unexcused(terminalreporter.config):
        terminalreporter.write_line(f"a skip is a failure here: {reason}", red=True)
