"""The TypeScript client: what the compiler finds, and how it works in Node with a stand-in and with a running site."""

import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.clients.scripted import Scripted, refusal, scripted
from tests.common.server import Handler, serving
from tests.e2e.site import ROOT, Site
from tests.e2e.test_client import MAKE_ACCOUNTS

CLIENT = ROOT / "clients" / "typescript"
SCRIPTS = Path(__file__).with_name("typescript")


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the TypeScript compiler, in the version that the client names."""
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("no Node.js with npm on this machine")
    folder = tmp_path_factory.mktemp("typescript")
    wanted = json.loads((CLIENT / "package.json").read_text())["devDependencies"]["typescript"]
    done = subprocess.run(
        ["npm", "pack", "--silent", f"typescript@{wanted}"], cwd=folder, capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip(f"npm has no TypeScript: {done.stderr[-200:]}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    return ["node", str(folder / "package" / "lib" / "tsc.js")]


@pytest.fixture(scope="module")
def client(compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of the compiled client."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "package.json").write_text('{"type": "module"}')
    run([*compiler, "-p", str(CLIENT), "--outDir", str(folder / "dist")])
    return str(folder / "dist" / "client.js")


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted() as script:
        yield script


def run(command: list[str], cwd: Path = ROOT) -> str:
    """Run a command and return what it printed."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout


def script(name: str, *arguments: str) -> Any:
    """Run a script in Node and return the JSON that it prints."""
    return json.loads(run(["node", str(SCRIPTS / name), *arguments]))


def call(client: str, server: Scripted, operation: str, args: object, **settings: object) -> dict[str, Any]:
    """Call an operation of the stand-in."""
    asked = {"token": "arb_x", **settings}
    outcome: dict[str, Any] = script("scripted.mjs", client, server.url, json.dumps(asked), operation, json.dumps(args))
    return outcome


CREATE = ("events_create", {"body": {"name": "Open", "preset": "free"}})
ME = ("me", {})


def test_the_example_compiles_and_wrong_operations_values_and_fields_do_not(
    compiler: list[str], tmp_path: Path
) -> None:
    shutil.copytree(CLIENT / "src", tmp_path / "src" / "client")
    shutil.copy(SCRIPTS / "typed.ts", tmp_path / "src")
    example = (CLIENT / "README.md").read_text().split("```ts\n")[1].split("```")[0]
    (tmp_path / "src" / "example.ts").write_text(example.replace('"arbitre-client"', '"./client/client.ts"'))
    for name in ("package.json", "tsconfig.json"):
        shutil.copy(CLIENT / name, tmp_path)
    run([*compiler, "-p", str(tmp_path), "--noEmit"])


def test_a_write_is_sent_again_with_its_key_until_it_is_answered(client: str, server: Scripted) -> None:
    server.answers = [(0, {}, None), refusal(409, "in_progress"), (201, {}, {"id": "e-x"})]
    assert call(client, server, *CREATE)["answer"] == {"id": "e-x"}
    keys = [headers["idempotency-key"] for _method, _path, headers, _body in server.asked]
    assert len(keys) == 3 and len(set(keys)) == 1
    method, path, headers, body = server.asked[-1]
    assert (method, path, headers["authorization"]) == ("POST", "/api/v1/events/", "Bearer arb_x")
    assert json.loads(body) == {"name": "Open", "preset": "free"}
    call(client, server, CREATE[0], {**CREATE[1], "key": "mine"})
    assert server.asked[-1][2]["idempotency-key"] == "mine" != keys[0]


def test_a_busy_server_is_asked_again_after_the_time_that_it_names(client: str, server: Scripted) -> None:
    server.answers = [refusal(429, "throttled", **{"Retry-After": "1"}), refusal(503, "x"), (200, {}, {"id": "u-x"})]
    outcome = call(client, server, *ME)
    assert outcome["answer"] == {"id": "u-x"} and 2 <= outcome["seconds"] < 10
    assert "idempotency-key" not in server.asked[0][2]


def test_it_gives_up_after_its_attempts_or_its_patience(client: str, server: Scripted) -> None:
    server.answers = [refusal(429, "throttled", **{"Retry-After": "0"})]
    assert call(client, server, *ME, attempts=3)["error"] == [429, "throttled", "No.", [{"field": "name"}]]
    assert len(server.asked) == 3
    server.answers = [refusal(429, "throttled", **{"Retry-After": "3"})]
    assert call(client, server, *ME, patience=2)["error"][1] == "throttled"
    assert len(server.asked) == 4
    server.answers = [(0, {}, None)]
    assert call(client, server, *ME, attempts=1)["error"] == "no answer"


def test_a_refusal_is_thrown_at_once_with_its_code_and_details(client: str, server: Scripted) -> None:
    server.answers = [refusal(409, "event_full")]
    assert call(client, server, *CREATE)["error"] == [409, "event_full", "No.", [{"field": "name"}]]
    server.answers = [(502, {"content-type": "text/html"}, "<html>")]
    assert call(client, server, *ME)["error"] == [502, "http_502", "", []]
    assert len(server.asked) == 2


def test_a_lost_stream_is_opened_again_after_the_last_change(client: str) -> None:
    """The stand-in ends each connection after one change, and its second token is the only one that it takes later."""
    opened: list[tuple[str, str]] = []

    class Streaming(Handler):
        def do_GET(self) -> None:
            if self.path == "/e/e-x/":
                token = 1 + len([each for each in opened if each[0] == "refused"])
                self.send(
                    200, f'<body data-live-stream="/live/e-x/?token={token}&amp;since=1.0">'.encode(), "text/html"
                )
                return
            seen = self.headers.get("Last-Event-ID", "")
            if "token=1" in self.path and len(opened) == 2:
                opened.append(("refused", seen))
                self.send(403, b"This stream opens with the token of its page.", "text/plain")
                return
            opened.append((self.path, seen))
            number = 1 + len(opened)
            said = (
                f'retry: 10\n\nevent: now\ndata: 1\n\nid: {number}.0\nevent: revision\ndata: {{"revision": {number}, '
            )
            self.send(200, f'{said}"topics": ["round"], "followers": 1}}\n\n'.encode(), "text/event-stream")

    with serving(Streaming) as port:
        heard = script("streamed.mjs", client, f"http://127.0.0.1:{port}", "e-x", "3")
    assert [change["id"] for change in heard] == ["2.0", "3.0", "5.0"]
    assert heard[0] == {"id": "2.0", "revision": 2, "topics": ["round"]}
    first, later = "/live/e-x/?token=1&since=1.0", "/live/e-x/?token=2&since=1.0"
    assert opened == [(first, ""), (first, "2.0"), ("refused", "3.0"), (later, "3.0")]


def test_an_organizer_runs_an_event_of_a_live_site_and_hears_of_its_changes(client: str, site: Site) -> None:
    printed = site.run(MAKE_ACCOUNTS.format(names=["typist"]))
    token = next(line.split()[2] for line in printed.splitlines() if line.startswith("token "))
    told = script("live.mjs", client, site.url, token)
    assert told["event"].startswith("e-") and len(told["names"]) == 3 and told["revision"] > 0
