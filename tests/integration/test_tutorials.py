"""docs/tutorials, typed from the first line to the last: a reader gets what the pages show."""

from __future__ import annotations

import pytest

from deploy.stack.server import free_port
from tests.support.pipeline import HURRY, Pipeline
from tests.support.program import TREE, binary
from tests.support.typed_page import TypedPage

MORE_PORTS = {"polling": {"poller": 9193}}

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)


@pytest.fixture
def shop(new_pipeline) -> Pipeline:
    pipeline: Pipeline = new_pipeline()
    pipeline.create_database()
    return pipeline


@pytest.mark.parametrize("name", ["orders", "subscriptions", "polling"])
def test_tutorial(shop: Pipeline, name: str) -> None:
    places = {"shop.webhooks.v1": shop.topic, "group: shop": f"group: {shop.group}", "redis://127.0.0.1:6379/0": shop.redis.url,
              "127.0.0.1:8080": f"127.0.0.1:{free_port()}"}
    usual = {"ingress": 9090, "consumer": 9190, "retry": 9191, **MORE_PORTS.get(name, {})}
    ports = {program: free_port() for program in usual}
    places |= {f"localhost:{usual[program]}": f"localhost:{port}" for program, port in ports.items()}
    places["sources:\n"] = "operations: {" + ", ".join(f'{program}: "127.0.0.1:{port}"' for program, port in ports.items()) + "}\nsources:\n"
    if name == "polling":
        listed = free_port()
        places |= {"127.0.0.1:8090": f"127.0.0.1:{listed}", "--port 8090": f"--port {listed}", "=../..": f"={TREE}"}
    type_page(shop, name, places)


def test_tutorial_of_commands(shop: Pipeline) -> None:
    type_page(shop, "charging", {
        "charging.commands.v1": f"{shop.name}.commands", "group: charging": f"group: {shop.group}-booking", "=../..": f"={TREE}",
        **{f":{usual}": f":{free_port()}" for usual in (8081, 9194, 9195)}})


def type_page(shop: Pipeline, name: str, places: dict[str, str]) -> None:
    sql, folder = shop.database, shop.folder / "typed"
    places |= {"127.0.0.1:9092": shop.kafka.bootstrap, "port: 3306": f"port: {sql.port}", "--port=3306": f"--port={sql.port}",
               "database: payments": f"database: {shop.name}", "--user=sluice payments": f"--user=sluice {shop.name}",
               "echo sluice > secrets/mysql": f"echo {sql.password} > secrets/mysql"}
    folder.mkdir()
    page = TypedPage(f"tutorials/{name}.md", folder, places, {"PATH": f"{binary('sluicectl').parent}:/usr/bin:/bin", "SLUICE_CONFIG": "sluice.yaml",
                                                             "SLUICE_HURRY": str(HURRY)})
    try:
        assert page.type_all() > 20
    finally:
        page.close()
