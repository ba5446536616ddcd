-- What programs authenticate with: OAuth clients, grants and tokens (docs/decisions/0015-oauth.md), and API keys. Secrets are
-- stored as SHA-256 only.

-- A family of tokens: one consent, or one browser session (then without a client, and deleted with the session). Codes and
-- refresh tokens are redeemed under a lock on this row; revoking it ends every token of the family.
CREATE TABLE token_grant (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  client_id text,
  session_hash bytea REFERENCES session (hash) ON DELETE CASCADE,
  scopes text[] NOT NULL,
  resource text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  client_name text                          -- as the consent page showed it
);
CREATE INDEX token_grant_account ON token_grant (account_id);
CREATE INDEX token_grant_session ON token_grant (session_hash);
CREATE INDEX token_grant_client ON token_grant (client_id) WHERE client_id IS NOT NULL;

CREATE TABLE access_token (
  hash bytea PRIMARY KEY,
  grant_id uuid NOT NULL REFERENCES token_grant (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  scopes text[]                             -- NULL: those of its grant; a refresh may ask for fewer
);
CREATE INDEX access_token_grant ON access_token (grant_id);
CREATE INDEX access_token_expiry ON access_token (expires_at);

-- A used one stays until it would have expired: a second use shows that somebody else has the token.
CREATE TABLE refresh_token (
  hash bytea PRIMARY KEY,
  grant_id uuid NOT NULL REFERENCES token_grant (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX refresh_token_grant ON refresh_token (grant_id);
CREATE INDEX refresh_token_expiry ON refresh_token (expires_at);

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

-- Clients that registered dynamically (RFC 7591). Clients identified by a metadata document are not stored.
CREATE TABLE oauth_client (
  id text PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  registered_from text NOT NULL,            -- the network, for the limit of registrations
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz                       -- the last consent
);
CREATE INDEX oauth_client_registered ON oauth_client (registered_from, created_at);

-- Read-only, for chosen workspaces: it reads those of them that its owner can read at the time of the request.
CREATE TABLE api_key (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,
  last_four text NOT NULL,
  name text NOT NULL,
  workspace_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz                  -- exact to a minute
);
CREATE INDEX api_key_account ON api_key (account_id);

-- bearer_of_token and bearer_of_key: who a credential belongs to and, if `counting`, how many workspaces it can read. They
-- are called before every request; as functions they keep their plan. With the count in the statement around the function, which
-- was planned for each request, it took 2.3 times as long as reading a row by its key, now 1.3 times (embedded; 2.5 and 1.4
-- on a server; docs/decisions/0023-overhead.md).

-- All columns are null unless the token, its grant, its session (if it came from one) and its account are all valid, and the
-- token was issued for `audience`.
CREATE FUNCTION bearer_of_token(token_hash bytea, audience text, counting boolean,
  OUT client_id text, OUT scopes text[], OUT account_id uuid, OUT email text, OUT workspace_count integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT g.client_id, coalesce(t.scopes, g.scopes), a.id, a.email INTO client_id, scopes, account_id, email
  FROM access_token t
  JOIN token_grant g ON g.id = t.grant_id
  JOIN account a ON a.id = g.account_id
  LEFT JOIN session s ON s.hash = g.session_hash
  WHERE t.hash = token_hash AND t.expires_at > now() AND g.revoked_at IS NULL AND g.resource = audience
    AND a.status = 'active' AND (g.session_hash IS NULL OR s.expires_at > now());
  -- A statement of its own: as part of the one above it would be planned anew each time nothing is counted.
  IF counting THEN
    SELECT count(*) INTO workspace_count FROM member m JOIN workspace w ON w.id = m.workspace_id
    WHERE m.account_id = bearer_of_token.account_id AND w.deleted_at IS NULL;
  END IF;
END
$$;

-- All columns are null unless the key and its owner's account are valid. Counted are the workspaces that were chosen for the
-- key and that its owner can read.
CREATE FUNCTION bearer_of_key(key_hash bytea, counting boolean,
  OUT id uuid, OUT account_id uuid, OUT workspace_ids uuid[], OUT unnoticed boolean, OUT workspace_count integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT k.id, k.account_id, k.workspace_ids, coalesce(k.last_used_at < now() - interval '1 minute', true)
  INTO id, account_id, workspace_ids, unnoticed
  FROM api_key k JOIN account a ON a.id = k.account_id
  WHERE k.hash = key_hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    AND a.status = 'active';
  IF counting THEN
    SELECT count(*) INTO workspace_count FROM member m JOIN workspace w ON w.id = m.workspace_id
    WHERE m.account_id = bearer_of_key.account_id AND w.deleted_at IS NULL
      AND w.id = ANY (bearer_of_key.workspace_ids);
  END IF;
END
$$;

-- A request that takes long, such as an upload, checks its token again in the transaction that commits its result. The rows
-- are locked until that transaction ends: a revocation that commits first is seen, a later one waits. Runs as the owner of
-- the tables because requests may not read tokens and sessions. clock_timestamp() because a lock may have been waited for:
-- now() is the start of the transaction.
CREATE FUNCTION hold_bearer(bearer_hash bytea, audience text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  held_grant uuid;
  held_session bytea;
  holder uuid;
BEGIN
  SELECT g.id, g.session_hash, g.account_id INTO held_grant, held_session, holder
  FROM access_token t JOIN token_grant g ON g.id = t.grant_id
  WHERE t.hash = bearer_hash;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- In the order in which suspending an account and ending a session lock them, so that there is no deadlock.
  PERFORM 1 FROM account WHERE id = holder AND status = 'active' FOR SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF held_session IS NOT NULL THEN
    PERFORM 1 FROM session WHERE hash = held_session AND expires_at > clock_timestamp() FOR SHARE;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
  END IF;
  PERFORM 1 FROM token_grant WHERE id = held_grant AND revoked_at IS NULL AND resource = audience FOR SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM access_token WHERE hash = bearer_hash AND expires_at > clock_timestamp() FOR SHARE;
  RETURN FOUND;
END
$$;
