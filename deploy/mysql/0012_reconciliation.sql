-- What reconciliations of sluice-poller found: a provider's list of events against the inbox. Rows go after 90 days.
-- older programs: never look here.
CREATE TABLE reconciliation (
  id           VARBINARY(32)   NOT NULL PRIMARY KEY,  -- 32 hex digits, as in the header sluice-reconciled
  source       VARBINARY(64)   NOT NULL,              -- its name in the configuration
  provider     VARBINARY(255)  NOT NULL,              -- with principal: whose events
  principal    VARBINARY(128)  NOT NULL,
  kind         ENUM('once', 'file', 'continuous') NOT NULL,
  applies      TINYINT         NOT NULL,              -- 1: what is missing is injected
  window_from  DATETIME(6)     NULL,                  -- created in [from, until), by the provider's clock;
  window_until DATETIME(6)     NULL,                  -- NULL: a file of ids
  listed       BIGINT          NOT NULL DEFAULT 0,    -- so far; all counts are of events
  missing      BIGINT          NOT NULL DEFAULT 0,    -- listed, and not in the inbox
  injected     BIGINT          NOT NULL DEFAULT 0,    -- of those: published by this run
  not_applied  BIGINT          NOT NULL DEFAULT 0,    -- in the inbox, and waiting or dead
  not_there    BIGINT          NULL,                  -- in the inbox, and not listed; NULL: not compared
  operator     VARBINARY(128)  NULL,                  -- who ordered it
  reason       VARBINARY(1024) NULL,
  began_at     DATETIME(6)     NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  ended_at     DATETIME(6)     NULL,                  -- it looked at all; NULL: it runs, or was broken off
  KEY reconciliation_age (began_at)
) ENGINE = InnoDB;

-- The events that were missing, the first 1,000 of each reconciliation.
CREATE TABLE reconciliation_missing (
  reconciliation VARBINARY(32)  NOT NULL,
  event_day      DATE           NOT NULL,             -- with dedup_key: its row of the inbox, once it is there
  dedup_key      BINARY(32)     NOT NULL,
  event_id       VARBINARY(255) NOT NULL,
  type           VARBINARY(128) NULL,                 -- NULL: a file of ids
  created        DATETIME(6)    NULL,
  injected       TINYINT        NOT NULL DEFAULT 0,   -- 1: Kafka has it. 0 of a run that was broken off: perhaps
  PRIMARY KEY (reconciliation, event_day, dedup_key)
) ENGINE = InnoDB;
