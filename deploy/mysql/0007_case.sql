-- Cases that a rule of an effect leaves to a person.
-- older programs: read a kind that they do not know as a newer release's, and leave its entries alone.
ALTER TABLE dead_letter
  MODIFY kind ENUM('dead', 'undecodable', 'unreadable', 'conflict', 'too_old', 'case') NOT NULL;
