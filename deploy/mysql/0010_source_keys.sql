-- What the keys of each path's events are made of. A consumer writes down what it finds first; from then on another
-- file is refused, until an operator accepts it (sluicectl keys accept). A path that is in no file any more keeps its row:
-- its account may come back at another path.
CREATE TABLE source_keys (
  path        VARBINARY(255)  NOT NULL PRIMARY KEY,
  provider    VARBINARY(255)  NOT NULL,
  principal   VARBINARY(128)  NOT NULL,
  made_of     MEDIUMBLOB      NOT NULL,  -- lines `what: where` (common/webhook/source_file/made_of.hpp)
  recorded_at DATETIME(6)     NOT NULL,
  operator    VARBINARY(128)  NULL,      -- who accepted them; NULL: they were the first
  reason      VARBINARY(1024) NULL
) ENGINE = InnoDB;
