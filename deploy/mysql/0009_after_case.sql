-- A case of an effect with `after_case: pass` does not hold the events behind it.
-- older programs: insert 0, never change it, and hold later events of the object behind such a case.
ALTER TABLE lane_event ADD COLUMN lets_pass TINYINT NOT NULL DEFAULT 0;  -- 1: of a dead row alone
