-- What leaves the database: the messages of effects with `send`. A row is written in its event's own transaction,
-- so that it is there exactly if the effects are, and the relay sends it after the COMMIT.
-- The messages of one key are sent in the order of their ids: whoever applies two events of one object does so in
-- turns, so the later event's row has the higher id.
-- older programs: have no effects with `send`, and never look here.
CREATE TABLE outbox (
  id              BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
  destination     VARBINARY(64)    NOT NULL,  -- its name in the configuration
  message_key     VARBINARY(512)   NULL,      -- the ordering unit; NULL: in no order
  idempotency_key BINARY(32)       NOT NULL,  -- of the event, the effect and the message's place in it
  body            MEDIUMBLOB       NOT NULL,
  effect          VARBINARY(255)   NOT NULL,
  source          VARBINARY(64)    NOT NULL,
  event_id        VARBINARY(255)   NOT NULL,
  event_type      VARBINARY(128)   NOT NULL,
  event_day       DATE             NOT NULL,  -- with dedup_key: its row of the inbox
  dedup_key       BINARY(32)       NOT NULL,
  traceparent     VARBINARY(55)    NULL,      -- of the event's trace, for the receiver
  -- Relays share the work by slots; NULL: sent or skipped, so that an index has the unfinished alone.
  slot            TINYINT UNSIGNED NULL DEFAULT (CRC32(COALESCE(message_key, event_id)) % 16),
  state           ENUM('waiting', 'refused', 'sent', 'skipped') NOT NULL DEFAULT 'waiting',
  attempts        INT UNSIGNED     NOT NULL DEFAULT 0,
  created_at      DATETIME(6)      NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  tried_since     DATETIME(6)      NULL,      -- the first attempt that failed; it is given up by this
  due_at          DATETIME(6)      NOT NULL DEFAULT (UTC_TIMESTAMP(6)),  -- not sent before
  finished_at     DATETIME(6)      NULL,
  error_text      VARBINARY(1024)  NULL,      -- of the last attempt
  KEY outbox_slot (slot, destination, id),
  KEY outbox_event (dedup_key),
  KEY outbox_finished (finished_at)
) ENGINE = InnoDB;

-- A message that its destination refuses for good is an entry like others.
-- older programs: read a kind that they do not know as a newer release's, and leave its entries alone.
ALTER TABLE dead_letter
  MODIFY kind ENUM('dead', 'undecodable', 'unreadable', 'conflict', 'too_old', 'case', 'message') NOT NULL;
