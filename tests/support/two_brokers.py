"""A Kafka of two brokers whose second can go away: the first alone decides who leads, so it always says what is known."""

from __future__ import annotations

from confluent_kafka import KafkaException

from deploy.stack import Kafka
from tests.support.kafka_log import KafkaLog
from tests.support.pipeline import Pipeline
from tests.support.servers import Servers
from tests.support.wait import wait_for

GONE_AFTER = {"broker.session.timeout.ms": "2000"}
FIRST, SECOND = 1, 2


class TwoBrokers:
    """`first` holds everything, offsets of groups too, but the partition of webhooks that `prepare` gives to `second`."""

    def __init__(self, servers: Servers, name: str) -> None:
        self._servers = servers
        self.first = servers.own_kafka(f"{name}-1", **GONE_AFTER)
        self.log = KafkaLog(self.first.bootstrap)
        self.log.create("any", partitions=1)
        wait_for(self._has_offsets, "Kafka's own topic of offsets, made while there is one broker")
        self.second = Kafka(servers.folder / f"{name}-2", node_id=SECOND, controller_port=self.first.controller_port,
                            voters={FIRST: self.first.controller_port}, cluster_id=self.first.cluster_id)
        self.second.overrides = {**self.first.overrides, "process.roles": "broker",
                                 "listeners": f"PLAINTEXT://{self.second.address}"}
        servers.own(self.second)

    def prepare(self, pipeline: Pipeline, on_second: int) -> Pipeline:
        """Its topics, and a database as `Pipeline.prepare()` does."""
        wait_for(lambda: self.log.brokers() == 2, "the second broker")
        for topic in (pipeline.quarantine, pipeline.dlq, *pipeline.wake_topics):
            self.log.place(topic, [[FIRST]])
        self.log.place(pipeline.topic, [[SECOND if number == on_second else FIRST] for number in range(pipeline.partitions)])
        return pipeline.promise_database()

    def lose_second(self, topic: str) -> None:
        """Returns when Kafka says that a partition of `topic` has no leader."""
        self.second.kill()
        wait_for(lambda: self._lacks_a_leader(topic), "a partition without a leader", within=60)

    def bring_second_back(self) -> None:
        if not self.second.running:
            self.second.start()
            self.second.wait_ready()

    def _lacks_a_leader(self, topic: str) -> bool:
        """A question that the second one has taken with it is asked anew."""
        try:
            return -1 in self.log.leaders(topic)
        except KafkaException:
            return False

    def _has_offsets(self) -> bool:
        try:
            return bool(self.log.committed("any", "any"))
        except KafkaException:
            return False

    def stop(self) -> None:
        self.log.close()
        for broker in (self.second, self.first):
            self._servers.drop(broker)
