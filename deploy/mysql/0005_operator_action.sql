-- What operators did. Written in the transaction that carries a command out, so that one which comes twice
-- is carried out once.
CREATE TABLE operator_action (
  id             BINARY(16)      NOT NULL PRIMARY KEY,  -- the command's
  run            BINARY(16)      NULL,                  -- one invocation over a filter
  action         ENUM('retry', 'skip', 'edit', 'close', 'rerun') NOT NULL,
  answer         ENUM('carried_out', 'refused') NOT NULL,
  why            VARBINARY(64)   NULL,                  -- of a refusal
  object_key     VARBINARY(512)  NOT NULL,
  event_day      DATE            NULL,
  dedup_key      BINARY(32)      NULL,
  dead_letter    BIGINT          NULL,
  operator       VARBINARY(128)  NOT NULL,
  reason         VARBINARY(1024) NOT NULL,
  database_user  VARBINARY(128)  NOT NULL,
  host           VARBINARY(255)  NOT NULL,
  requested_at   DATETIME(6)     NOT NULL,
  carried_out_at DATETIME(6)     NOT NULL,
  body_sha256    BINARY(32)      NULL,
  approved_by    VARBINARY(128)  NULL,                  -- the second operator; NULL: it was one operator's
  approval_reason VARBINARY(1024) NULL,
  approved_at    DATETIME(6)     NULL,
  KEY operator_action_event (event_day, dedup_key),
  KEY operator_action_dead_letter (dead_letter),
  KEY operator_action_run (run),
  KEY operator_action_age (carried_out_at)              -- they go by age (consumer/store/retention/closed_dead_letters.hpp)
) ENGINE = InnoDB;

-- What `sluicectl erase` took, one row for each order: people are told why a request is gone. It names the object
-- by the hash that `lane` has and holds nothing of what went. A row goes as those of operator_action do.
CREATE TABLE erasure (
  id            BIGINT          NOT NULL AUTO_INCREMENT PRIMARY KEY,
  lane_key      BINARY(32)      NOT NULL,              -- SHA-256 of the record's key
  operator      VARBINARY(128)  NOT NULL,
  reason        VARBINARY(1024) NOT NULL,
  database_user VARBINARY(128)  NOT NULL,
  host          VARBINARY(255)  NOT NULL,
  begun_at      DATETIME(6)     NOT NULL,
  finished_at   DATETIME(6)     NULL,                  -- NULL: it was broken off, or events came meanwhile
  payloads      BIGINT          NOT NULL DEFAULT 0,    -- rows of each table that lost something
  inbox_rows    BIGINT          NOT NULL DEFAULT 0,
  dead_letters  BIGINT          NOT NULL DEFAULT 0,
  actions       BIGINT          NOT NULL DEFAULT 0,
  KEY erasure_object (lane_key, id),
  KEY erasure_age (begun_at)
) ENGINE = InnoDB;
