-- The names of all effects of an event: in 4096 bytes a long list of long names was refused, and the event with
-- it. What a configuration may come to is checked when it is read (consumer/store/inbox/effect_names.hpp).
-- older programs: the column takes all that they write. No row is copied, it only may be longer.
ALTER TABLE lane_event MODIFY effects VARBINARY(32768) NOT NULL;
