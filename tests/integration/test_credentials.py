"""Users and passwords in files are read again at each login: who rotates them restarts nothing, and loses no webhook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

from deploy.stack import Redis
from tests.support.events import fresh_id, payment
from tests.support.guarded_kafka import OTHER_USER, PASSWORD, GuardedKafka
from tests.support.iam_kafka import REGION, IamKafka, PodAgent
from tests.support.oauth_kafka import OAuthKafka, TokenEndpoint
from tests.support.pipeline import Pipeline
from tests.support.program import Program
from tests.support.provider import Provider
from tests.support.servers import Servers
from tests.support.wait import wait_for


class Login:
    """A user and a password as two mounted files."""

    def __init__(self, folder: Path, name: str, user: str, password: str) -> None:
        self.files = {part: folder / f"{name}-{part}" for part in ("user", "password")}
        self.becomes(user, password)

    def becomes(self, user: str, password: str) -> None:
        for part, text in (("user", user), ("password", password)):
            self.files[part].write_text(text + "\n")

    def reference(self, part: str) -> dict[str, str]:
        return {"file": str(self.files[part])}


def expect_to_flow(pipeline: Pipeline, provider: Provider) -> None:
    event = payment(customer := fresh_id("cus"), 7)
    pipeline.ledger.open_wallet(customer)
    provider.deliver(event).until_accepted()
    pipeline.ledger.expect_applied(event)


# These two come before `new_pipeline` in a test's arguments: its programs end before their Kafka does.

@pytest.fixture
def guarded(servers: Servers) -> Iterator[GuardedKafka]:
    kafka = GuardedKafka(servers)
    yield kafka
    servers.drop(kafka.server)


@pytest.fixture
def tokens() -> Iterator[TokenEndpoint]:
    """Short-lived, so that a new one is fetched soon."""
    endpoint = TokenEndpoint("sluice", "of-the-client", lifetime=12)
    yield endpoint
    endpoint.close()


@pytest.fixture
def with_tokens(servers: Servers) -> Iterator[OAuthKafka]:
    kafka = OAuthKafka(servers)
    yield kafka
    servers.drop(kafka.server)


@pytest.fixture
def agent(test_folder: Path) -> Iterator[PodAgent]:
    agent = PodAgent(test_folder)
    yield agent
    agent.close()


@pytest.fixture
def with_iam(servers: Servers, agent: PodAgent, test_folder: Path) -> Iterator[IamKafka]:
    kafka = IamKafka(servers, agent, test_folder)
    yield kafka
    kafka.close()
    servers.drop(kafka.server)


def test_kafka(guarded: GuardedKafka, new_pipeline: Callable[..., Pipeline], test_folder: Path) -> None:
    """The password of one program and the user of another, while the broker is away for a moment."""
    pipeline = new_pipeline(kafka=guarded.server).prepare()
    guarded.allow(pipeline.topic, pipeline.group)
    logins = {role: Login(test_folder, role, role, PASSWORD) for role in ("sluice-ingress", "sluice-consumer")}

    def comes_as(role: str) -> None:
        pipeline.config["kafka"].update(brokers=[guarded.address], sasl={
            "mechanism": "PLAIN", "user": logins[role].reference("user"), "password": logins[role].reference("password")})

    comes_as("sluice-ingress")
    provider = pipeline.provider(pipeline.ingress())
    comes_as("sluice-consumer")
    pipeline.consumer()
    expect_to_flow(pipeline, provider)
    logins["sluice-ingress"].becomes("sluice-ingress", "rotated")
    logins["sluice-consumer"].becomes(OTHER_USER, "another")
    guarded.let_in({"sluice-ingress": "rotated", OTHER_USER: "another"})
    expect_to_flow(pipeline, provider)


def test_kafka_by_token(tokens: TokenEndpoint, with_tokens: OAuthKafka, new_pipeline: Callable[..., Pipeline],
                        test_folder: Path) -> None:
    """librdkafka fetches a new token before the old one ends."""
    login = Login(test_folder, "oauth", "sluice", "of-the-client")
    pipeline = new_pipeline(kafka=with_tokens.server).prepare()
    pipeline.config["kafka"].update(brokers=[with_tokens.address], sasl={
        "mechanism": "OAUTHBEARER", "user": login.reference("user"), "password": login.reference("password"),
        "token_endpoint": tokens.url, "scope": "payments"})
    provider = pipeline.provider(pipeline.ingress())
    pipeline.consumer()
    expect_to_flow(pipeline, provider)
    assert tokens.scopes and set(tokens.scopes) == {"payments"}
    first = len(tokens.scopes)
    wait_for(lambda: len(tokens.scopes) > first, "a new token", within=60)
    expect_to_flow(pipeline, provider)


def test_kafka_by_the_role_of_the_pod(with_iam: IamKafka, agent: PodAgent, new_pipeline: Callable[..., Pipeline]) -> None:
    """Keys are asked for before each token, so new ones count; time passes a hundred times faster here."""
    pipeline = new_pipeline(kafka=with_iam.server).prepare()
    pipeline.config["kafka"].update(brokers=[with_iam.address], tls={"ca": {"file": str(with_iam.ca)}}, sasl={"mechanism": "AWS_MSK_IAM", "region": REGION})
    ingress, consumer = pipeline.ingress(start=False), pipeline.consumer(start=False)
    for program in (ingress, consumer):
        program.environment = {**program.environment, **agent.environment(), "SLUICE_HURRY": "100"}
        program.start().ready()
    provider = pipeline.provider(ingress)
    expect_to_flow(pipeline, provider)
    known = set(agent.given)
    wait_for(lambda: len(set(agent.given) - known) > 2, "further keys to be asked for")
    with_iam.end_sessions()
    expect_to_flow(pipeline, provider)
    assert set(with_iam.logins) - known and not with_iam.refused
    agent.refuses = True
    for program in (ingress, consumer):
        wait_for(lambda told=program: "answered with status 403" in str(told.log_lines()), f"{program.label} to say that it gets no keys")
    expect_to_flow(pipeline, provider)


def test_kafka_without_a_role_says_what_is_missing(with_iam: IamKafka, new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(kafka=with_iam.server).prepare()
    pipeline.config["kafka"].update(brokers=[with_iam.address], tls={"ca": {"file": str(with_iam.ca)}}, sasl={"mechanism": "AWS_MSK_IAM", "region": REGION})
    ingress = pipeline.ingress(start=False).start()
    wait_for(lambda: "AWS_CONTAINER_CREDENTIALS_FULL_URI" in str(ingress.log_lines()), "the log to say it")


@pytest.mark.databases("mysql", "mariadb")
def test_database(pipeline: Pipeline, provider: Provider, test_folder: Path) -> None:
    """As a vault does it: another password, then another user, and the sessions of the old one end."""
    first, second = fresh_id("u")[:20], fresh_id("v")[:20]
    login = Login(test_folder, "mysql", first, "of-the-first")
    with pipeline.database.connect(admin=True) as connection, connection.cursor() as cursor:
        def end_sessions(user: str) -> None:
            cursor.execute("SELECT id FROM information_schema.processlist WHERE user = %s", (user,))
            for (session,) in cursor.fetchall():
                pipeline.database.end_session(session)

        def let_in(user: str, password: str) -> None:
            cursor.execute(f"CREATE USER '{user}'@'%' IDENTIFIED BY '{password}'")
            cursor.execute(f"GRANT ALL ON *.* TO '{user}'@'%'")

        let_in(first, "of-the-first")
        pipeline.config["mysql"].update(user=login.reference("user"), password=login.reference("password"))
        pipeline.consumer()
        expect_to_flow(pipeline, provider)
        cursor.execute(f"ALTER USER '{first}'@'%' IDENTIFIED BY 'rotated'")
        login.becomes(first, "rotated")
        end_sessions(first)
        expect_to_flow(pipeline, provider)
        let_in(second, "of-the-second")
        login.becomes(second, "of-the-second")
        cursor.execute(f"DROP USER '{first}'@'%'")
        end_sessions(first)
        expect_to_flow(pipeline, provider)
        cursor.execute(f"DROP USER '{second}'@'%'")


def connected(ingress: Program) -> bool:
    return ingress.metric("sluice_ingress_redis_connected") == 1


def test_redis(servers: Servers, pipeline: Pipeline, test_folder: Path) -> None:
    server = Redis(test_folder / "redis", users=["first on >of-the-first ~* +@all", "admin on >admin ~* +@all"])
    servers.own(server)
    login = Login(test_folder, "redis", "first", "of-the-first")
    pipeline.config["redis"].update(urls=[server.url], username=login.reference("user"), password=login.reference("password"))
    ingress = pipeline.ingress()
    wait_for(lambda: connected(ingress), "the first login")
    login.becomes("second", "of-the-second")
    with redis.Redis(port=server.port, username="admin", password="admin") as client:
        client.execute_command("ACL", "SETUSER", "second", "on", ">of-the-second", "~*", "+@all")
        client.execute_command("ACL", "DELUSER", "first")
    provider = pipeline.provider(ingress)
    wait_for(lambda: provider.deliver(payment(fresh_id("cus"), 7)).until_accepted() and connected(ingress)
             and ingress.metric("sluice_ingress_claims_total", result="fresh") > 0, "the second login")
    servers.drop(server)
