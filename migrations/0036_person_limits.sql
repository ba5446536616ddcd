-- The limit of a month of one person, in place of the one for each person: somebody may need more, or less. A limit that is NULL is
-- none.
CREATE TABLE person_limit (
  account_id uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  tokens bigint,
  cost numeric                              -- in the currency of the limits
);
