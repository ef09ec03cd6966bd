-- What is remembered of a finished undated event whose inbox row is gone: nothing says that its provider sends
-- it no more. About 160 bytes of disk each, as keys are spread at random; maintenance moves them here (consumer/store/inbox/undated.hpp).
CREATE TABLE undated_key (
  dedup_key      BINARY(32)    NOT NULL PRIMARY KEY,
  content_digest BINARY(32)    NOT NULL,
  source         VARBINARY(64) NOT NULL,
  received_day   DATE          NOT NULL              -- at the ingress, UTC; for inbox.keep_undated
) ENGINE = InnoDB;
