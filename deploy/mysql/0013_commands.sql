-- What became of the commands of sluice-command: the first response under each key, kept until `keep_until`.
-- A row is written in the transaction of its command's effect. While that is open the row locks its key. Of a command that is a call
-- the row is committed in progress before anything is sent, and changes under its fence alone.
-- older programs: never look here.
CREATE TABLE command_key (
  key_digest   BINARY(32)        NOT NULL PRIMARY KEY,  -- of caller, command and key
  fingerprint  BINARY(32)        NOT NULL,              -- of what was asked
  command      VARBINARY(64)     NOT NULL,              -- its name in the configuration
  caller       VARBINARY(128)    NOT NULL,
  caller_key   VARBINARY(255)    NOT NULL,              -- as the caller gave it, or made of fields of the body
  state        TINYINT UNSIGNED  NOT NULL DEFAULT 1,    -- 0: a call in progress, 1: done, 2: failed, may be tried again, 3: for good
  status       SMALLINT UNSIGNED NULL,                  -- of the response; NULL: there is none
  content_type VARBINARY(128)    NULL,
  response     MEDIUMBLOB        NULL,
  begun_at     DATETIME(6)       NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
  keep_until   DATETIME(6)       NOT NULL,              -- by this server's clock, as begun_at; then the key is new. Of a call in
                                                        -- progress the end of its lease; then somebody asks what became of it
  owner        VARBINARY(32)     NULL,                  -- of a call: who began it, or went on with it last
  fence        BIGINT            NOT NULL DEFAULT 0,    -- of a call: rises each time that somebody else goes on with it
  why          VARBINARY(255)    NULL,                  -- of a call that failed
  KEY command_key_age (state, keep_until)               -- who looks for a state walks past none of the others: most rows are done
) ENGINE = InnoDB;
