-- One-time links that sign somebody in: opened once, within minutes, and gone with the session that made them.

-- Deleted when it is used: of two who open it at once, one is let in.
CREATE TABLE sign_in_link (
  hash bytea PRIMARY KEY,
  session_hash bytea NOT NULL REFERENCES session (hash) ON DELETE CASCADE,
  next text NOT NULL,                       -- the path to open
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_link_session ON sign_in_link (session_hash);
CREATE INDEX sign_in_link_expiry ON sign_in_link (expires_at);

-- Where an OAuth client was answered when it was let in, to show beside the connection. NULL: let in before this column.
ALTER TABLE token_grant ADD COLUMN redirect_uri text;
