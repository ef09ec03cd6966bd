"""Real servers for tests, demonstrations and work by hand: Kafka, MySQL, MariaDB and Redis.

Runs inside the platform (`./run exec …`), listens on loopback only. Every server is a `Server`: see server.py for the
contract they share. The usual way:

    with Kafka(folder / "kafka") as kafka, MySQL(folder / "mysql") as mysql:
        ...  # kafka.bootstrap, mysql.port

To start several at once, call `start()` on each and then `wait_ready()` on each.
"""

from deploy.stack.kafka import Kafka
from deploy.stack.kafka_cluster import KafkaCluster
from deploy.stack.mariadb import MariaDB
from deploy.stack.mysql import MySQL
from deploy.stack.process import ServerFailed
from deploy.stack.redis import Redis
from deploy.stack.server import Server, start_all, stop_all
from deploy.stack.sql_server import SqlServer, mysql_or_mariadb

__all__ = ["Kafka", "KafkaCluster", "MariaDB", "MySQL", "Redis", "Server", "ServerFailed", "SqlServer",
           "mysql_or_mariadb", "start_all", "stop_all"]
