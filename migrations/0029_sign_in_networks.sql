-- Networks from which somebody has signed in: guesses from elsewhere do not lock them out there
-- (docs/decisions/0016-accounts.md). A keyed hash stands for account and network, so no address is kept.
CREATE TABLE sign_in_network (
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  network bytea NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);
CREATE INDEX sign_in_network_seen ON sign_in_network (seen_at);
