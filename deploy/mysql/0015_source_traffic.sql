-- How many events came from each source in each hour, for the alarm of a source that falls silent
-- (consumer/silence/rules/usual_traffic.hpp). Processes of the main role add to it once a minute; one that is killed
-- leaves a minute out, and records that are read again count again: neither changes what is usual. An hour without events has no row. Rows go after twelve weeks.
-- older programs: never look here.
CREATE TABLE source_traffic (
  source  VARBINARY(64) NOT NULL,
  hour    DATETIME      NOT NULL,  -- in which they came to the ingress, UTC
  events  BIGINT        NOT NULL,  -- that a provider sent, duplicates that Redis missed included
  last_at DATETIME(6)   NOT NULL,  -- when the newest of them came
  PRIMARY KEY (source, hour),
  KEY source_traffic_hour (hour)
) ENGINE = InnoDB;
