"""What a review would check by eye, checked by machine: sizes, layering, names that must stay in one place."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import coroutine_rules
from sources import CPP, TREE, code, files, includes, line_of, name, places

TEXTS = (".cpp", ".hpp", ".py", ".sh", ".cmake", "CMakeLists.txt", ".sql", ".proto", ".mjs", "run")
LONGEST = 400


def production(*suffixes: str) -> list[Path]:
    return [path for path in files(*suffixes) if name(path).split("/")[0] != "tests"]


def test_no_file_is_longer_than_the_ceiling() -> None:
    long = {name(path): lines for path in files(*TEXTS)
            if (lines := len(path.read_text(errors="replace").splitlines())) > LONGEST}
    assert not long


def test_lines_are_readable() -> None:
    long = [f"{name(path)}:{number}" for path in production(".cpp", ".hpp", ".py")
            for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > 140]
    assert not long


SLEEPS = r"\b(?:sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\("


def test_no_test_sleeps() -> None:
    """Polling with a bound has one place."""
    allowed = {"tests/support/wait.py"}
    found = [place for path in files(".cpp", ".hpp", ".py", under="tests") if name(path) not in allowed
             for place in places(path, SLEEPS) if "test_style.py" not in place]
    assert not found


ALLOWED_INCLUDES: dict[str, tuple[str, ...]] = {
    "common": ("common/",),
    "proto": ("proto/",),
    "ingress": ("common/", "proto/", "ingress/"),
    "consumer": ("common/", "proto/", "consumer/"),
    "poller": ("common/", "poller/", "consumer/store/", "ingress/outlet/outlet.hpp", "ingress/outlet/parcel.hpp", "ingress/publish/kept_request.hpp"),
    "command": ("common/", "command/", "consumer/database/", "consumer/destination/", "consumer/effects/", "consumer/store/",
                "consumer/group/member_client.hpp", "consumer/retry_role/topic_ends.hpp", "ingress/outlet/outlet.hpp", "ingress/outlet/parcel.hpp",
                "ingress/asio/", "ingress/connection/", "ingress/config/certificate_reload.hpp", "ingress/config/config_fingerprint.hpp",
                "ingress/drain.hpp"),
    "ctl": ("common/", "proto/", "ctl/", "consumer/", "command/config/", "command/process/", "command/record/"),
    "clients": ("sluice/command_",)}
INSTALLED = TREE / "clients/cpp"  # its headers are included as those who copy them do


@pytest.mark.parametrize("folder", ALLOWED_INCLUDES)
def test_layers_point_one_way(folder: str) -> None:
    """ingress -> common <- consumer <- ctl."""
    generated = re.compile(r".*\.pb\.h$")
    wrong = [f"{name(path)}:{line} includes {target}" for path in files(*CPP, under=folder)
             for line, target in includes(path)
             if not target.startswith(ALLOWED_INCLUDES[folder]) and not generated.match(target)]
    assert not wrong


def test_only_who_serves_http_does_asynchronous_io() -> None:
    compiled_once = ("common/asio/separate_compilation.cpp", "common/webhook/gate/head_parser.cpp")  # whose headers say nothing of either
    wrong = [place for folder in ("consumer", "common", "poller", "command", "ctl") for path in files(*CPP, under=folder)
             if not name(path).startswith(("command/http/", *compiled_once))
             for place in places(path, r"#\s*include\s*<boost/(?:asio|beast)")]
    assert not wrong


def test_includes_are_written_from_the_root() -> None:
    wrong = [f"{name(path)}:{line} {target}" for path in files(*CPP) for line, target in includes(path)
             if not (TREE / target).exists() and not (INSTALLED / target).exists() and not target.endswith(".pb.h")]
    assert not wrong


def test_headers_are_included_once() -> None:
    """The precompiled one is compiled, not included: there GCC warns of the pragma."""
    assert not [name(path) for path in files(".hpp") if "#pragma once" not in path.read_text()
                and path.name != "precompiled.hpp"]


def test_coroutines_keep_their_rules() -> None:
    assert not coroutine_rules.all_breaches()


@pytest.mark.parametrize("breach,text", {
    "condition": "if (co_await f()) g();", "condition with a declaration": "if (auto r = co_await f(); !r) g();",
    "argument": "g(co_await f());", "ternary": "auto x = c ? co_await f() : h();", "braces": "auto x = co_await f(A{1});",
    "lambda": "auto x = co_await f([&] { g(); });", "two": "auto x = co_await a() + co_await b();",
    "capturing lambda": "auto l = [&a]() -> awaitable<void> { co_return; };",
    "spawn": "co_spawn(co_await executor, run());"}.items())
def test_coroutine_rules_see_a_breach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, breach: str, text: str) -> None:
    file = tmp_path / "ingress" / "x.cpp"
    file.parent.mkdir()
    file.write_text(f"awaitable<void> f() {{\n  {text}\n}}\n")
    monkeypatch.setattr(sys.modules["sources"], "TREE", tmp_path)
    assert list(coroutine_rules.breaches(file)), breach


@pytest.mark.parametrize("text", ["const auto x = co_await f(y);", "co_await f(y);", "co_return co_await f();",
                                  "x = co_await f();", "if (a(b)) x = co_await f();", "std::tie(a, b) = co_await f();", "(void)co_await f();"])
def test_coroutine_rules_let_good_code_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    file = tmp_path / "ingress" / "x.cpp"
    file.parent.mkdir()
    file.write_text(f"awaitable<void> f() {{\n  {text}\n}}\n")
    monkeypatch.setattr(sys.modules["sources"], "TREE", tmp_path)
    assert not list(coroutine_rules.breaches(file))


# What may stand in few places only, so that there is one place to look at.
ONE_PLACE: dict[str, tuple[str, Callable[[str], bool]]] = {
    "the clock is read": (r"_clock::now\s*\(|\btime\s*\(\s*(?:nullptr|NULL|0)\s*\)|\bclock_gettime\s*\(",
                          lambda file: file in ("common/clock.hpp", "clients/cpp/sluice/command_client.hpp")),
    "the environment is read": (r"\bgetenv\s*\(",
                                lambda file: file in ("common/config/secret_reference.cpp", "common/kafka/iam/pod_identity.cpp", "common/failpoint.cpp",
                                                      "ctl/command/command.cpp")),
    "librdkafka handles are destroyed": (r"\brd_kafka_(?!headers_|topic_partition_list_)\w*destroy\w*\s*\(",
                                         lambda file: file == "common/kafka/handle.hpp"),
    "hiredis replies are freed": (r"\bfreeReplyObject\s*\(", lambda file: file == "common/redis/session.hpp"),
    "MySQL handles are closed": (r"\bmysql_(?:close|stmt_close|free_result)\s*\(",
                                 lambda file: file.startswith("consumer/store/")),
    "OpenSSL handles are freed": (r"\bEVP_\w+_free\s*\(", lambda file: file.startswith("common/crypto/"))}


@pytest.mark.parametrize("what", ONE_PLACE)
def test_stands_in_its_one_place(what: str) -> None:
    pattern, allowed = ONE_PLACE[what]
    wrong = [place for path in production(*CPP) if not allowed(name(path)) for place in places(path, pattern)]
    assert not wrong


def test_macros_are_none_of_ours() -> None:
    wrong = [place for path in production(*CPP) if name(path) != "common/failpoint.hpp"
             for place in places(path, r"(?m)^\s*#\s*define\s")]
    assert not wrong


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX", "/tmp/probe", "/root/", "/home/"])
def test_no_left_over(word: str) -> None:
    here = Path(__file__)
    pattern = rf"(?<!\w){re.escape(word)}" + (r"(?!\w)" if word.isalpha() else "")
    assert not [name(path) for path in files(*TEXTS, ".md", ".yaml", ".json") if path != here
                and re.search(pattern, path.read_text(errors="replace"))]


# Data that the build finds by itself: a provider more changes no list.
FOUND = {"common/webhook/recipes/*.yaml", "ctl/samples/*/*.json", "ctl/effects/ready/*.yaml", "docs/providers/text/*.md"}
_GLOB = re.compile(r"\bGLOB(?:_RECURSE)?\b([^)]*)\)")


def test_sources_are_listed_by_hand() -> None:
    lists = files("CMakeLists.txt", ".cmake")
    globs = [(name(path), match[1].split()[1:]) for path in lists for match in _GLOB.finditer(path.read_text())]
    assert not [glob for glob in globs if glob[1][0] != "CONFIGURE_DEPENDS"
                or any(pattern.removeprefix("${PROJECT_SOURCE_DIR}/") not in FOUND for pattern in glob[1][1:])]
    listed = "\n".join(path.read_text() for path in lists)
    missing = [name(path) for path in production(".cpp") if path.name not in listed]
    assert not missing


def test_folders_have_no_name_for_everything() -> None:
    vague = re.compile(r"^(?:utils?|helpers?|managers?|misc|common_\w+)(?:\.\w+)?$")
    assert not [name(path) for path in files(*CPP, ".py") if any(vague.match(part) for part in path.relative_to(TREE).parts)]


@pytest.mark.parametrize("folder", ["common", "ingress", "consumer", "poller", "command", "ctl"])
def test_namespaces_are_those_of_the_folder(folder: str) -> None:
    wanted = re.compile(r"\bnamespace\s+sluice\b" if folder == "common" else r"\bnamespace\s+(?:sluice\b|std\b)")
    assert not [name(path) for path in files(*CPP, under=folder) if "namespace" in code(path) and not wanted.search(code(path))]


def test_unit_tests_read_as_sentences() -> None:
    """GoogleTest names without underscores."""
    wrong = [f"{name(path)}:{line_of(code(path), match.start())} {match[0]}" for path in files("_test.cpp")
             for match in re.finditer(r"\bTEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)", code(path))
             if "_" in match[1] + match[2]]
    assert not wrong


def test_python_compiles_without_warnings() -> None:
    sources = [str(path) for path in files(".py")]
    script = "import sys, ast\nfor f in sys.argv[1:]: compile(open(f).read(), f, 'exec')"
    result = subprocess.run([sys.executable, "-W", "error", "-c", script, *sources], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
