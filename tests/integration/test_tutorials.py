"""docs/tutorials, typed from the first line to the last: a reader gets what the pages show."""

from __future__ import annotations

import pytest

from deploy.stack.server import free_port
from tests.support.pipeline import HURRY, Pipeline
from tests.support.program import TREE, binary
from tests.support.typed_page import TypedPage

MORE_PORTS = {"polling": {"poller": 9193}}

pytestmark = pytest.mark.databases("mysql", "mariadb", in_turn=True)


@pytest.mark.parametrize("name", ["orders", "subscriptions", "polling"])
def test_tutorial(new_pipeline, name: str) -> None:
    shop: Pipeline = new_pipeline()
    shop.create_database()
    sql = shop.database
    places = {"127.0.0.1:9092": shop.kafka.bootstrap, "shop.webhooks.v1": shop.topic, "group: shop": f"group: {shop.group}",
              "redis://127.0.0.1:6379/0": shop.redis.url, "port: 3306": f"port: {sql.port}", "--port=3306": f"--port={sql.port}",
              "database: payments": f"database: {shop.name}", '--user=sluice payments': f'--user=sluice {shop.name}', "127.0.0.1:8080": f"127.0.0.1:{free_port()}",
              "echo sluice > secrets/mysql": f"echo {sql.password} > secrets/mysql"}
    usual = {"ingress": 9090, "consumer": 9190, "retry": 9191, **MORE_PORTS.get(name, {})}
    ports = {program: free_port() for program in usual}
    places |= {f"localhost:{usual[program]}": f"localhost:{port}" for program, port in ports.items()}
    places["sources:\n"] = "operations: {" + ", ".join(f'{program}: "127.0.0.1:{port}"' for program, port in ports.items()) + "}\nsources:\n"
    if name == "polling":
        listed = free_port()
        places |= {"127.0.0.1:8090": f"127.0.0.1:{listed}", "--port 8090": f"--port {listed}", "=../..": f"={TREE}"}
    folder = shop.folder / "typed"
    folder.mkdir()
    page = TypedPage(f"tutorials/{name}.md", folder, places, {"PATH": f"{binary('sluicectl').parent}:/usr/bin:/bin", "SLUICE_CONFIG": "sluice.yaml",
                                                             "SLUICE_HURRY": str(HURRY)})
    try:
        assert page.type_all() > 20
    finally:
        page.close()
