-- One row per object that had trouble; it stays a day after its last event is finished. Every change of the
-- lane locks it, and its generation and position go on when there is trouble again.
CREATE TABLE lane (
  lane_key      BINARY(32)     NOT NULL PRIMARY KEY,  -- SHA-256 of the record's key, which may be of any length
  object_key    VARBINARY(512) NOT NULL,              -- the record's key, cut, for people
  generation    BIGINT         NOT NULL,              -- a wakeup of another generation is stale
  wakeup_due    DATETIME(6)    NULL,                  -- NULL: nothing waits for time
  wakeup_sent   TINYINT        NOT NULL,              -- 0: the wakeup of this generation is owed
  unfinished    INT            NOT NULL,              -- rows in lane_event; 0: the lane is open
  last_position BIGINT         NOT NULL,
  updated_at    DATETIME(6)    NOT NULL,
  KEY lane_due (wakeup_due),
  KEY lane_idle (unfinished, updated_at)
) ENGINE = InnoDB;

-- The unfinished events of an object, in the order in which their effects happen. A finished event has no
-- row here: its inbox row says how it ended.
CREATE TABLE lane_event (
  lane_key        BINARY(32)      NOT NULL,
  position        BIGINT          NOT NULL,
  status          ENUM('deferred', 'retry', 'dead', 'parked') NOT NULL,
  attempts        INT             NOT NULL,
  deferrals       INT             NOT NULL,
  due_at          DATETIME(6)     NULL,               -- NULL: never waited for time
  first_failed_at DATETIME(6)     NULL,
  superseded_by_later TINYINT     NOT NULL,           -- of a dead row: after_dead skip_superseded
  effects         VARBINARY(32768) NOT NULL,          -- names, a JSON array, in file order (consumer/store/inbox/effect_names.hpp)
  effects_missing_since DATETIME(6) NULL,             -- when a process first lacked one of them
  error_class     VARBINARY(64)   NULL,
  error_text      VARBINARY(1024) NULL,
  event_day       DATE            NULL,               -- its inbox row; NULL: it has none (undecodable)
  dedup_key       BINARY(32)      NULL,
  topic           VARBINARY(249)  NOT NULL,
  partition_no    INT             NOT NULL,
  offset_no       BIGINT          NOT NULL,
  appended_at     DATETIME(6)     NOT NULL,           -- the broker's time stamp
  headers         MEDIUMBLOB      NOT NULL,           -- the record's, byte for byte (common/record/header_bytes.hpp)
  body            MEDIUMBLOB      NOT NULL,
  edited          TINYINT         NOT NULL,           -- 1: the body is an operator's, forever
  had_effects     BLOB            NULL,               -- of a rerun: what the event had before, as in inbox
  PRIMARY KEY (lane_key, position)
) ENGINE = InnoDB;
