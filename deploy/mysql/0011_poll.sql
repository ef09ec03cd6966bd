-- How far the poller has read each provider's list of events, and which process reads there.
-- older programs: never look here.
CREATE TABLE poll_walk (
  source         VARBINARY(64)   NOT NULL PRIMARY KEY,  -- its name in the configuration
  provider       VARBINARY(255)  NOT NULL,    -- with principal: whose list it is
  principal      VARBINARY(128)  NOT NULL,
  at_id          VARBINARY(255)  NULL,        -- all events up to this one are in Kafka; NULL: by time alone
  at_created     DATETIME(6)     NULL,        -- by the provider's clock, as all times up to gap_until
  complete_until DATETIME(6)     NOT NULL,    -- all events that were created before are in Kafka
  page_token     VARBINARY(1024) NULL,        -- of lists that have tokens in place of ids
  types_digest   BINARY(32)      NOT NULL,    -- of the types that are asked for
  gap_from       DATETIME(6)     NULL,        -- may be missing: the provider forgot it before it was read
  gap_until      DATETIME(6)     NULL,
  fence          BIGINT UNSIGNED NOT NULL,    -- rises with each lease
  holder         VARBINARY(64)   NULL,        -- a process, by a name made at random; NULL: gave it back
  leased_until   DATETIME(6)     NOT NULL,    -- by this server's clock
  moved_at       DATETIME(6)     NULL,
  operator       VARBINARY(128)  NULL,        -- who changed it by hand last: sluicectl poll
  reason         VARBINARY(1024) NULL,
  changed_at     DATETIME(6)     NULL         -- by this server's clock
) ENGINE = InnoDB;
