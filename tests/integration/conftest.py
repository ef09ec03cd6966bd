"""Fixtures of the integration tests: real servers once per run, one pipeline per test."""

from __future__ import annotations

import copy
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zlib import crc32

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE))

from tests.support import collector as stub  # noqa: E402
from tests.support.event_list import EventList  # noqa: E402
from tests.support.longest_first import LongestFirst, measured  # noqa: E402
from tests.support.pipeline import Pipeline  # noqa: E402
from tests.support.program import Program, binary  # noqa: E402
from tests.support.provider import Provider  # noqa: E402
from tests.support.servers import Servers  # noqa: E402

LONG_FILES = Path(__file__).with_name("long_files.txt")
KNOWN_DATABASES = ("mysql", "mariadb")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", default="mysql,mariadb", help="servers for the tests that differ by database")
    parser.addoption("--keep", action="store_true", help="keep the servers' folders and the programs' logs")


def wanted_databases(config: pytest.Config) -> list[str]:
    names = config.getoption("--database").split(",")
    unknown = set(names) - set(KNOWN_DATABASES)
    if unknown:
        raise pytest.UsageError(f"--database knows {', '.join(KNOWN_DATABASES)}, not {', '.join(unknown)}")
    return names


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that uses a database runs on the first of --database; with @pytest.mark.databases on each it names."""
    if "database" not in metafunc.fixturenames:
        return
    names = wanted_databases(metafunc.config)
    mark = metafunc.definition.get_closest_marker("databases")
    chosen = [name for name in names if name in (mark.args or KNOWN_DATABASES)] if mark else names[:1]
    metafunc.parametrize("database", chosen, indirect=True, scope="session")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test marked `databases(…, in_turn=True)` stays the one on the server that its name chooses; one that needs no server stays."""
    others = [item for item in items if is_for_another_turn(item, wanted_databases(config))]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in others]


def is_for_another_turn(item: pytest.Item, names: list[str]) -> bool:
    mark = item.get_closest_marker("databases")
    if mark is None or not mark.kwargs.get("in_turn") or not hasattr(item, "callspec"):
        return False
    database = item.callspec.params["database"]
    chosen = names[crc32(item.name.replace(database, "").encode()) % len(names)]
    return database != chosen


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LongestFirst | None:
    if config.getoption("dist") != "loadfile":
        return None
    scheduler = LongestFirst(config, log)
    scheduler.seconds = measured(LONG_FILES)
    return scheduler


def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.option.collectonly:
        return
    missing = [name for name in ("sluice-ingress", "sluice-consumer", "sluicectl") if not binary(name).exists()]
    if missing and not os.environ.get("SLUICE_PARTS"):
        raise pytest.UsageError(f"{binary(missing[0])} is missing: ./run build dev, or set SLUICE_BIN")


@pytest.fixture(scope="session")
def run_folder(pytestconfig: pytest.Config) -> Iterator[Path]:
    folder = TREE / "build/integration" / f"run-{os.getpid()}"
    folder.mkdir(parents=True)
    yield folder
    if not pytestconfig.getoption("--keep"):
        shutil.rmtree(folder / "servers", ignore_errors=True)


@pytest.fixture(scope="session")
def servers(run_folder: Path, pytestconfig: pytest.Config) -> Iterator[Servers]:
    running = Servers(run_folder / "servers", wanted_databases(pytestconfig))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def database(request: pytest.FixtureRequest, servers: Servers):
    return servers.databases[request.param]


@pytest.fixture
def test_folder(run_folder: Path, request: pytest.FixtureRequest) -> Path:
    name = "".join(character if character.isalnum() or character in "-_" else "-" for character in request.node.name)
    folder = run_folder / request.node.path.stem / name[:100]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def new_pipeline(test_folder: Path, servers: Servers, database) -> Iterator[Callable[..., Pipeline]]:
    """Makes pipelines that are not prepared: for tests of what is missing or elsewhere."""
    made: list[Pipeline] = []

    def make(**places: object) -> Pipeline:
        folder = test_folder / str(len(made)) if made else test_folder
        folder.mkdir(exist_ok=True)
        pipeline = Pipeline(folder, places.pop("kafka", servers.kafka), places.pop("redis", servers.redis),
                            places.pop("database", database), **places)
        made.append(pipeline)
        return pipeline

    yield make
    for pipeline in made:
        pipeline.close()


@pytest.fixture
def pipeline(new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    """Topics and a migrated database; no program runs yet."""
    return new_pipeline().prepare()


@pytest.fixture
def ingress(pipeline: Pipeline) -> Program:
    return pipeline.ingress()


@pytest.fixture
def consumer(pipeline: Pipeline) -> Program:
    return pipeline.consumer()


@pytest.fixture
def provider(pipeline: Pipeline, ingress: Program) -> Provider:
    return pipeline.provider(ingress)


@pytest.fixture
def listing() -> Iterator[EventList]:
    """A provider's list of events; no source reads it yet."""
    running = EventList()
    yield running
    running.close()


@pytest.fixture
def collector() -> Iterator[stub.Collector]:
    """Of traces; it takes what it gets until the test has it do something else."""
    running = stub.Collector(stub.taking)
    yield running
    running.close()


# One ingress for all tests of a file, where a test leaves nothing behind: the tests of requests that are refused.

@pytest.fixture(scope="module")
def gate_pipeline(run_folder: Path, servers: Servers, request: pytest.FixtureRequest) -> Iterator[Pipeline]:
    folder = run_folder / request.path.stem
    folder.mkdir(parents=True, exist_ok=True)
    pipeline = Pipeline(folder, servers.kafka, servers.redis, next(iter(servers.databases.values())))
    pipeline.create_topics()
    yield pipeline
    pipeline.close()


@pytest.fixture(scope="module")
def gate(gate_pipeline: Pipeline) -> Program:
    return gate_pipeline.ingress()


@pytest.fixture(scope="module")
def gate_provider(gate_pipeline: Pipeline, gate: Program) -> Provider:
    return gate_pipeline.provider(gate)


# Topics and a database for all tests of a file, where events, objects and customers of their own keep tests apart.

@pytest.fixture(scope="module")
def workbench(run_folder: Path, servers: Servers, database, request: pytest.FixtureRequest) -> Iterator[Pipeline]:
    """What a module wants beside the standard: EXTRA_TABLES, EXTRA_EFFECTS, CONSUMER (that section)."""
    folder = run_folder / request.path.stem / f"shared-{database.name.lower()}"
    folder.mkdir(parents=True, exist_ok=True)
    pipeline = Pipeline(folder, servers.kafka, servers.redis, database).prepare()
    pipeline.ledger.run(*getattr(request.module, "EXTRA_TABLES", []))
    pipeline.config["effects"] += getattr(request.module, "EXTRA_EFFECTS", [])
    pipeline.config["consumer"] = dict(getattr(request.module, "CONSUMER", {}))
    yield pipeline
    pipeline.close()


@pytest.fixture
def bench(workbench: Pipeline) -> Iterator[Pipeline]:
    """The file's pipeline without a program; programs that the test starts and what it configures end with it."""
    config = copy.deepcopy(workbench.config)
    yield workbench
    workbench.config = config
    workbench.end_programs()


@pytest.fixture(scope="module")
def shared(workbench: Pipeline) -> Pipeline:
    """The file's pipeline with a consumer that runs for all its tests."""
    workbench.consumer()
    return workbench


@pytest.fixture
def retry_role(shared: Pipeline) -> Iterator[Program]:
    """Beside that consumer, for tests of what is tried again later. It ends with the test: where nothing is to happen
    by itself, nothing does."""
    program = shared.retry_role()
    yield program
    assert program.stop() == 0, program.story()
