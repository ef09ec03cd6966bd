"""A Kafka of three brokers, two of which share a partition: one of them can be made its leader without the other's last records."""

from __future__ import annotations

from confluent_kafka import KafkaException

from deploy.stack import Kafka
from tests.support.pipeline import Pipeline
from tests.support.servers import Servers
from tests.support.two_brokers import FIRST, SECOND, TwoBrokers
from tests.support.wait import wait_for

THIRD = 3


class ThreeBrokers(TwoBrokers):
    """As two brokers; the partition that `prepare` gives to the second lies on the third too."""

    def __init__(self, servers: Servers, name: str) -> None:
        super().__init__(servers, name)
        self.third = Kafka(servers.folder / f"{name}-3", node_id=THIRD, controller_port=self.first.controller_port,
                           voters={FIRST: self.first.controller_port}, cluster_id=self.first.cluster_id)
        self.third.overrides = {**self.second.overrides, "listeners": f"PLAINTEXT://{self.third.address}"}
        servers.own(self.third)

    def prepare_shared(self, pipeline: Pipeline, topic: str) -> Pipeline:
        """The topics of one partition each; the one of `topic` is led by the second broker and copied by the third."""
        wait_for(lambda: self.log.brokers() == 3, "all three brokers")
        for each in (pipeline.topic, pipeline.quarantine, pipeline.dlq, *pipeline.wake_topics):
            self.log.place(each, [[SECOND, THIRD] if each == topic else [FIRST]])
        return pipeline.promise_database()

    def leave_third_behind(self, topic: str) -> None:
        """What is written from now on is on the second broker alone."""
        self.third.kill()
        wait_for(lambda: self._is_alone(topic), "the second broker to be alone", within=60)

    def elect_third(self, topic: str) -> None:
        """An unclean election: what only the second broker has is gone."""
        self.second.kill()
        self.third.start()
        self.third.wait_ready()
        wait_for(lambda: self._elected(topic), "the third broker to lead", within=60)

    def bring_back(self) -> None:
        for broker in (self.second, self.third):
            if not broker.running:
                broker.start()
                broker.wait_ready()

    def _is_alone(self, topic: str) -> bool:
        """A question that the third one has taken with it is asked anew."""
        try:
            return self.log.in_sync(topic) == [[SECOND]]
        except KafkaException:
            return False

    def _elected(self, topic: str) -> bool:
        try:
            self.log.elect_unclean(topic, 0)
            return self.log.leaders(topic) == [THIRD]
        except KafkaException as error:
            raise AssertionError(str(error)) from None

    def stop(self) -> None:
        self._servers.drop(self.third)
        super().stop()
