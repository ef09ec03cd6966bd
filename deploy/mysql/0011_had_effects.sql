-- Which effects an event had, by name: a JSON array like lane_event.effects, written with the status done or
-- ignored, [] where none matched. NULL: it is not finished, or was finished by a program that did not write it.
ALTER TABLE inbox ADD COLUMN had_effects BLOB NULL;
