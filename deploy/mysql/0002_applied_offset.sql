-- What MySQL is known to hold of each partition: the maximum over the rows. A fail-over that lost
-- the last transactions shows as a maximum behind Kafka's committed offset.
CREATE TABLE applied_offset (
  group_id     VARBINARY(249) NOT NULL,
  topic_id     VARBINARY(64)  NOT NULL,  -- Kafka's UUID: a topic that is created again starts over
  partition_no INT            NOT NULL,
  writer       VARBINARY(64)  NOT NULL,  -- process instance and worker
  next_offset  BIGINT         NOT NULL,  -- every offset below is applied
  updated_at   DATETIME(6)    NOT NULL,
  PRIMARY KEY (group_id, topic_id, partition_no, writer)
) ENGINE = InnoDB;
