"""Several Kafka nodes, for what one node cannot show."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Self

from deploy.stack.kafka import Kafka, new_cluster_id
from deploy.stack.server import READY_WITHIN, free_port, start_all, stop_all


class KafkaCluster:
    """Several nodes, each broker and controller. `nodes` may be killed, paused and started one by one.

    Three of them want about 1.2 GB of memory. Replication factor 3 and min.insync.replicas 2 by default. A node that is
    gone is noticed after 4 s, not Kafka's 9, so that fault tests need not wait for it.
    """

    def __init__(self, folder: Path | str, size: int = 3, overrides: Mapping[str, str] | None = None) -> None:
        properties = {"broker.session.timeout.ms": "4000", **(overrides or {})}
        voters = {node: free_port() for node in range(1, size + 1)}
        cluster_id = new_cluster_id()
        self.nodes = [Kafka(Path(folder) / f"node-{node}", overrides=properties, node_id=node, controller_port=port,
                            voters=voters, cluster_id=cluster_id) for node, port in voters.items()]

    @property
    def bootstrap(self) -> str:
        return ",".join(node.address for node in self.nodes)

    def start(self, within: float = READY_WITHIN) -> None:
        """Starts all nodes and returns when each answers."""
        start_all(self.nodes, within)

    def stop(self) -> None:
        """The last nodes have no quorum left to say good-bye to: they are killed after a few seconds."""
        stop_all(self.nodes, within=3)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
