-- What the chart's self-test writes, by its only effect: one row per event. Rows go with the undated ones of
-- the inbox, inbox.keep after they came: a few per `helm test` need no partitions of their own.
CREATE TABLE sluice_selftest (
  event      VARBINARY(255) NOT NULL PRIMARY KEY,  -- an event applied twice would be refused
  applied_at DATETIME(6)    NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  KEY sluice_selftest_age (applied_at)
) ENGINE = InnoDB;
