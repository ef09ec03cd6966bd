-- What operators did. Written in the transaction that carries a command out, so that one which comes twice
-- is carried out once.
CREATE TABLE operator_action (
  id             BINARY(16)      NOT NULL PRIMARY KEY,  -- the command's
  run            BINARY(16)      NULL,                  -- one invocation over a filter
  action         ENUM('retry', 'skip', 'edit', 'close') NOT NULL,
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
  KEY operator_action_event (event_day, dedup_key),
  KEY operator_action_letter (dead_letter),
  KEY operator_action_run (run)
) ENGINE = InnoDB;
