-- Who approved a command that two operators gave, and why. NULL: it was one operator's.
-- older programs: they neither read nor write these columns. docs/upgrade.md says what they make of such a command.
ALTER TABLE operator_action
  ADD COLUMN approved_by     VARBINARY(128)  NULL,
  ADD COLUMN approval_reason VARBINARY(1024) NULL,
  ADD COLUMN approved_at     DATETIME(6)     NULL;
