-- Passkeys as second factors, beside the app or without it (docs/decisions/0056-second-factor.md).
LOCK TABLE account, second_factor IN ACCESS EXCLUSIVE MODE;

-- The row says that the account has a second factor of any kind. NULL: it has no app.
ALTER TABLE second_factor ALTER COLUMN secret DROP NOT NULL;
-- The app is being set up beside passkeys: no sign-in takes its codes.
ALTER TABLE second_factor ADD COLUMN secret_pending boolean NOT NULL DEFAULT false;

CREATE TABLE passkey (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES second_factor (account_id) ON DELETE CASCADE,
  credential_id bytea NOT NULL UNIQUE,
  public_key bytea NOT NULL,                -- COSE
  counter bigint NOT NULL,                  -- 0: the authenticator does not count
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_on date
);
CREATE INDEX passkey_account ON passkey (account_id);

-- Deleted when it is used, whether the answer is right or wrong.
CREATE TABLE passkey_challenge (
  bound_to bytea NOT NULL,                  -- the hash of the session or of the sign-in that waits
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('register', 'prove')),
  challenge text NOT NULL,                  -- base64url
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (bound_to, purpose)
);
CREATE INDEX passkey_challenge_account ON passkey_challenge (account_id);
CREATE INDEX passkey_challenge_expiry ON passkey_challenge (expires_at);
