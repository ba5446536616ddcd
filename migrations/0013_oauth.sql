-- The authorization server (design/auth.md): registered clients, codes, refresh tokens. Secrets are SHA-256 only.
-- A consent makes a token_grant, the family: its row is the lock under which codes and refresh tokens are redeemed, and
-- revoking it ends every token that came from it.

-- Registered dynamically (RFC 7591). Clients known by a metadata document stand in no table.
CREATE TABLE oauth_client (
  id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  registered_from text NOT NULL,            -- the network, for the limit of registrations
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz                       -- the last consent
);
CREATE INDEX oauth_client_registered ON oauth_client (registered_from, created_at);

ALTER TABLE token_grant ADD COLUMN client_name text;   -- as the consent page showed it
CREATE INDEX token_grant_client ON token_grant (client_id) WHERE client_id IS NOT NULL;

-- Null: the scopes of its grant. A refresh may ask for fewer.
ALTER TABLE access_token ADD COLUMN scopes text[];

CREATE TABLE oauth_code (
  hash bytea PRIMARY KEY,
  grant_id uuid NOT NULL REFERENCES token_grant (id) ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,                  -- PKCE, S256
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oauth_code_grant ON oauth_code (grant_id);
CREATE INDEX oauth_code_expiry ON oauth_code (expires_at);

-- Used ones stay until they would have expired: a second use tells that somebody else holds the token.
CREATE TABLE refresh_token (
  hash bytea PRIMARY KEY,
  grant_id uuid NOT NULL REFERENCES token_grant (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX refresh_token_grant ON refresh_token (grant_id);
CREATE INDEX refresh_token_expiry ON refresh_token (expires_at);
