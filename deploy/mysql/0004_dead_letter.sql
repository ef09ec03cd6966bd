-- What on-call has to look at: one row per death of an event, and one per record that has no inbox row.
-- Open: closed_at IS NULL.
CREATE TABLE dead_letter (
  id              BIGINT          NOT NULL AUTO_INCREMENT PRIMARY KEY,
  kind            ENUM('dead', 'undecodable', 'unreadable', 'conflict', 'too_old') NOT NULL,
  lane_key        BINARY(32)      NULL,               -- of those that hold a lane
  position        BIGINT          NULL,
  object_key      VARBINARY(512)  NOT NULL,
  source          VARBINARY(64)   NOT NULL,
  type            VARBINARY(128)  NOT NULL,
  event_id        VARBINARY(255)  NOT NULL,
  event_day       DATE            NULL,
  dedup_key       BINARY(32)      NULL,
  content_digest  BINARY(32)      NULL,
  error_class     VARBINARY(64)   NOT NULL,
  error_text      VARBINARY(1024) NOT NULL,
  attempts        INT             NOT NULL,
  first_failed_at DATETIME(6)     NOT NULL,
  topic           VARBINARY(249)  NOT NULL,
  partition_no    INT             NOT NULL,
  offset_no       BIGINT          NOT NULL,
  seen_once       BINARY(32)      NULL,               -- of entries without a lane: SHA-256(topic id, partition, offset)
  dlq_sent        TINYINT         NOT NULL,           -- 1: delivery report seen
  opened_at       DATETIME(6)     NOT NULL,
  closed_at       DATETIME(6)     NULL,
  closed_as       ENUM('done', 'skipped', 'superseded', 'retried', 'closed') NULL,
  headers         MEDIUMBLOB      NULL,               -- of entries without a lane_event row
  body            MEDIUMBLOB      NULL,
  UNIQUE KEY dead_letter_record (seen_once),          -- a redelivered conflict opens nothing new
  KEY dead_letter_open (closed_at, error_class, source, id),
  KEY dead_letter_backlog (closed_at, id),            -- lists, oldest first, page by page
  KEY dead_letter_event (event_id),
  KEY dead_letter_owed (dlq_sent, closed_at, opened_at),
  KEY dead_letter_of_lane (lane_key, closed_at, dlq_sent, position)
) ENGINE = InnoDB;
