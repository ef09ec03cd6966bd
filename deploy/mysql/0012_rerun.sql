-- A finished event may have effects that it had not: its status is rerun until those are applied or an operator
-- gives them up. A row of lane_event that has had_effects is about such effects: the column says which ones the
-- event had before, as inbox.had_effects does.
-- older programs: a status or an action at the end of its list is a newer release's to them, which they leave
-- alone: the effects of such a row are rolled back, since its inbox row takes no end that they know.
ALTER TABLE inbox MODIFY status
  ENUM('done', 'ignored', 'dead', 'retry', 'deferred', 'parked', 'skipped', 'rerun') NOT NULL;
ALTER TABLE lane_event ADD COLUMN had_effects BLOB NULL;
ALTER TABLE operator_action MODIFY action ENUM('retry', 'skip', 'edit', 'close', 'rerun') NOT NULL;
