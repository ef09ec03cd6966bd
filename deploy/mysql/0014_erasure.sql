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
