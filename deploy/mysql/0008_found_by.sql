-- What people have in hand: the merchant's order number and the provider's number of the payment. Both are as the
-- recipe reads them (at most 255 bytes, never cut); NULL: the event says none, or an older release wrote the row.
-- Cheap on a big table: the columns change no row (INSTANT), the indexes are built while programs go on writing.
-- older programs: write rows without them, and never read them.
ALTER TABLE inbox ADD COLUMN reference VARBINARY(255) NULL, ADD COLUMN transaction VARBINARY(255) NULL;
ALTER TABLE inbox ADD KEY inbox_reference (reference), ADD KEY inbox_transaction (transaction);
ALTER TABLE lane_event ADD COLUMN reference VARBINARY(255) NULL, ADD COLUMN transaction VARBINARY(255) NULL;
ALTER TABLE lane_event ADD KEY lane_event_reference (reference), ADD KEY lane_event_transaction (transaction);
ALTER TABLE dead_letter ADD COLUMN reference VARBINARY(255) NULL, ADD COLUMN transaction VARBINARY(255) NULL,
  ADD COLUMN first_died_at DATETIME(6) NULL;  -- NULL: when this entry was opened
ALTER TABLE dead_letter ADD KEY dead_letter_reference (reference), ADD KEY dead_letter_transaction (transaction),
  ADD KEY dead_letter_place (lane_key, position);
