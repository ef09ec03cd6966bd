-- Every request that a provider sent, and what came of it: for questions that come months later. Where callbacks
-- are recorded (callbacks.record), the retry role writes a row for each event of the webhook topic and for each
-- callback of the topic of callbacks. A record that is read again finds its row there: its place in Kafka is the
-- key, with the time of receipt, since a log that was cut or made anew has other records at the same places. Days go
-- as partitions, after callbacks.keep.
-- older programs: never look here.
CREATE TABLE callback (
  received_day   DATE           NOT NULL,            -- UTC, of received_at
  log            TINYINT UNSIGNED NOT NULL,          -- 0: the webhook topic, 1: the topic of callbacks
  partition_no   INT            NOT NULL,            -- the place of its record there
  offset_no      BIGINT         NOT NULL,
  number         INT UNSIGNED   NOT NULL,            -- within that record
  received_at    DATETIME(6)    NOT NULL,            -- at the ingress; of several requests when the last one came
  source         VARBINARY(64)  NOT NULL,            -- empty: no source has the address
  verdict        VARBINARY(32)  NOT NULL,            -- accepted, polled, or as the ingress decided
  reason         VARBINARY(64)  NULL,
  status         SMALLINT UNSIGNED NULL,             -- what was answered; NULL: nothing, or it is not known
  client         VARBINARY(45)  NULL,                -- its address
  requests       BIGINT         NOT NULL,            -- 1, or how many that are not here one by one
  trace          BINARY(16)     NULL,
  body_size      BIGINT         NULL,                -- bytes
  took_us        BIGINT         NULL,                -- microseconds to the decision; NULL: not known
  event_id       VARBINARY(255) NULL,                -- NULL from here on: no event was read
  type           VARBINARY(128) NULL,
  object_key     VARBINARY(512) NULL,                -- the ordering unit, cut, for people
  object_hash    BIGINT         NULL,                -- the first 8 bytes of the SHA-256 of all of it
  event_day      DATE           NULL,                -- with dedup_key: its row of the inbox
  dedup_key      BINARY(32)     NULL,
  body_hash      BINARY(32)     NULL,                -- of accepted ones: SHA-256 of account and body without the event's id
  occurred_at    DATETIME(6)    NULL,                -- by the provider's clock
  payment        VARBINARY(16)  NULL,                -- its kind: paid, closed; NULL: the event tells of none, or nobody can tell
  amount         BIGINT         NULL,                -- in minor units
  currency       VARBINARY(8)   NULL,
  headers        MEDIUMBLOB     NULL,                -- a JSON array of [name, value] pairs
  body           MEDIUMBLOB     NULL,                -- masked; NULL: not kept, or it is in event_payload
  PRIMARY KEY (received_day, log, partition_no, offset_no, number, received_at),
  KEY callback_time (received_at),
  KEY callback_event (dedup_key),
  KEY callback_object (object_hash, received_at),
  KEY callback_client (client, received_at),
  KEY callback_payment (object_hash, payment),       -- anomalies look for these two
  KEY callback_body (body_hash)
) ENGINE = InnoDB
PARTITION BY RANGE COLUMNS (received_day) (
  PARTITION p_newest VALUES LESS THAN (MAXVALUE)
);
-- What was strange about callbacks, once for each time that it lasts. Where callbacks are recorded, rows go a day
-- after callbacks.keep.
-- older programs: never look here.
CREATE TABLE anomaly (
  id           BIGINT          NOT NULL AUTO_INCREMENT PRIMARY KEY,
  kind         VARBINARY(32)   NOT NULL,             -- consumer/callbacks/anomalies.hpp
  subject      VARBINARY(512)  NOT NULL,             -- an object's key, a client's address, or body_hash in hex
  subject_hash BINARY(32)      NOT NULL,             -- SHA-256 of all of it
  source       VARBINARY(64)   NOT NULL,             -- of the last callback
  began_at     DATETIME(6)     NOT NULL,             -- of the first callback that belongs to it
  last_at      DATETIME(6)     NOT NULL,
  callbacks    BIGINT          NOT NULL,             -- that belong to it
  detail       VARBINARY(1024) NOT NULL,
  found_at     DATETIME(6)     NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  UNIQUE KEY anomaly_subject (kind, subject_hash, began_at),
  KEY anomaly_age (last_at)
) ENGINE = InnoDB;
-- What `sluicectl erase` took of them.
-- older programs: insert 0, and leave requests of callbacks where they are.
ALTER TABLE erasure ADD COLUMN callbacks BIGINT NOT NULL DEFAULT 0;
