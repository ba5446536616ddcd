-- Second factors: one-time codes of an app, recovery codes (docs/decisions/0056-second-factor.md); and what tells the sessions of a
-- person apart.
LOCK TABLE account, session IN ACCESS EXCLUSIVE MODE;

-- One for each account. The secret is sealed with the key of the data folder, so a copy of the database alone makes no codes.
CREATE TABLE second_factor (
  account_id uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
  secret bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,                 -- NULL: being set up; no sign-in asks for it
  last_step bigint                          -- the half minute of the last code that was accepted: no code is accepted twice
);

-- SHA-256 only. Deleted when it is used: of two who use it at once, one succeeds.
CREATE TABLE recovery_code (
  account_id uuid NOT NULL REFERENCES second_factor (account_id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (account_id, hash)
);

-- A sign-in whose password was right, and that waits for its second factor. It allows nothing else.
CREATE TABLE pending_sign_in (
  hash bytea PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX pending_sign_in_account ON pending_sign_in (account_id);
CREATE INDEX pending_sign_in_expiry ON pending_sign_in (expires_at);

-- The hash of a session is made of its secret, so the list of sessions names them by an id of their own.
ALTER TABLE session ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE session ADD COLUMN user_agent text;
ALTER TABLE session ADD COLUMN used_at timestamptz NOT NULL DEFAULT now();
