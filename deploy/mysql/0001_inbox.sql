-- What this database belongs to, and what maintenance has promised.
CREATE TABLE sluice_meta (
  name       VARBINARY(64)   NOT NULL PRIMARY KEY,  -- consumer_group, dropped_before
  value      VARBINARY(1024) NOT NULL,
  written_at DATETIME(6)     NOT NULL DEFAULT (UTC_TIMESTAMP(6))  -- a promise is kept a day after it was written
) ENGINE = InnoDB;

-- One row per event that was accepted and read. Its primary key is what makes an event count once.
-- event_day is the UTC day of a body field that redeliveries keep; 1970-01-01 holds undated events
-- and is never dropped. The newest partition takes all later days; the consumer splits it ahead of time.
-- A finished event may have effects that it had not: its status is rerun until those are applied or an
-- operator gives them up.
CREATE TABLE inbox (
  event_day      DATE           NOT NULL,
  dedup_key      BINARY(32)     NOT NULL,  -- SHA-256(provider, principal, livemode, event id)
  content_digest BINARY(32)     NOT NULL,
  source         VARBINARY(64)  NOT NULL,
  event_id       VARBINARY(255) NOT NULL,
  type           VARBINARY(128) NOT NULL,
  object_key     VARBINARY(512) NOT NULL,  -- the record's key, the ordering unit
  status         ENUM('done', 'ignored', 'dead', 'retry', 'deferred', 'parked', 'skipped', 'rerun') NOT NULL,
  topic          VARBINARY(249) NOT NULL,
  partition_no   INT            NOT NULL,
  offset_no      BIGINT         NOT NULL,
  received_at    DATETIME(6)    NOT NULL,  -- at the ingress, UTC
  finished_at    DATETIME(6)    NULL,
  dlq_sent       TINYINT        NULL,      -- NULL: owes none; 0: owed; 1: delivery report seen
  error_class    VARBINARY(64)  NULL,
  error_text     VARBINARY(1024) NULL,
  had_effects    BLOB           NULL,      -- names, a JSON array, of done and ignored events; NULL: not finished
  PRIMARY KEY (event_day, dedup_key)
) ENGINE = InnoDB
PARTITION BY RANGE COLUMNS (event_day) (
  PARTITION p_undated VALUES LESS THAN ('1970-01-02'),
  PARTITION p_newest  VALUES LESS THAN (MAXVALUE)
);

-- The request as received, for replays and disputes. Kept as long as its inbox row.
CREATE TABLE event_payload (
  event_day DATE       NOT NULL,
  dedup_key BINARY(32) NOT NULL,
  headers   MEDIUMBLOB NOT NULL,  -- the record's headers, a JSON array of [name, value] pairs
  body      MEDIUMBLOB NOT NULL,
  PRIMARY KEY (event_day, dedup_key)
) ENGINE = InnoDB
PARTITION BY RANGE COLUMNS (event_day) (
  PARTITION p_undated VALUES LESS THAN ('1970-01-02'),
  PARTITION p_newest  VALUES LESS THAN (MAXVALUE)
);

-- What is remembered of a finished undated event whose inbox row is gone: nothing says that its provider sends
-- it no more. About 160 bytes of disk each, as keys are spread at random. Maintenance moves them here
-- (consumer/store/inbox/undated.hpp).
CREATE TABLE undated_key (
  dedup_key      BINARY(32)    NOT NULL PRIMARY KEY,
  content_digest BINARY(32)    NOT NULL,
  source         VARBINARY(64) NOT NULL,
  received_day   DATE          NOT NULL              -- at the ingress, UTC; for inbox.keep_undated
) ENGINE = InnoDB;

-- What the keys of each path's events are made of. A consumer records what it finds first; from then on it refuses
-- another file, until an operator accepts it (sluicectl keys accept). A path that is no longer in any file keeps
-- its row: its account may come back at another path.
CREATE TABLE source_keys (
  path        VARBINARY(255)  NOT NULL PRIMARY KEY,
  provider    VARBINARY(255)  NOT NULL,
  principal   VARBINARY(128)  NOT NULL,
  made_of     MEDIUMBLOB      NOT NULL,  -- lines `what: where` (common/webhook/source_file/key_derivation.hpp)
  recorded_at DATETIME(6)     NOT NULL,
  operator    VARBINARY(128)  NULL,      -- who accepted them; NULL: they were the first
  reason      VARBINARY(1024) NULL
) ENGINE = InnoDB;
