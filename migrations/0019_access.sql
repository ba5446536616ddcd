-- Who a credential stands for and, where asked, how many workspaces it can read, by one function that keeps its plan.
-- The count used to stand in the statement around it, planned anew for every request: the statement took 2.3 times that
-- of a row read by its key, now 1.3 (embedded; 2.5 and 1.4 on a server; docs/decisions/0023-overhead.md).
-- Those without a third parameter stay for processes of the version before, which run on while others are replaced.

-- All null for one that is not alive: token, grant, session (if it came from one) and account all must be, and it must
-- have been made for the audience.
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
  -- A statement of its own: as a part of the one above it would be worth planning anew whenever nothing is counted.
  IF counting THEN
    SELECT count(*) INTO workspace_count FROM member m JOIN workspace w ON w.id = m.workspace_id
    WHERE m.account_id = bearer_of_token.account_id AND w.deleted_at IS NULL;
  END IF;
END
$$;

-- The workspaces it counts are those that were chosen for the key and that its owner can read.
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

-- What every request to a workspace asks first; read with the eyes of whoever calls it. Planned anew each time the
-- statement took 2.4 times `select 1`, so 1.6 (embedded; 2.2 and 1.4 on a server, behind the second wall).
CREATE FUNCTION role_in(workspace uuid, account uuid) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT m.role FROM workspace w
    JOIN member m ON m.workspace_id = w.id
    JOIN account a ON a.id = m.account_id
    WHERE w.id = role_in.workspace AND w.deleted_at IS NULL AND m.account_id = role_in.account
      AND a.status = 'active');
END
$$;

-- Failed sign-ins are what strangers write into the audit: kept for 90 days, and nothing takes them out before.
CREATE OR REPLACE FUNCTION refuse_activity_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.action = 'sign_in_failed' AND OLD.at < now() - interval '90 days' THEN
      RETURN OLD;
    END IF;
    IF EXISTS (SELECT 1 FROM workspace w WHERE w.id = OLD.workspace_id AND w.deleted_at IS NOT NULL) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'activity is appended to only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE INDEX activity_failed_sign_ins ON activity (at) WHERE action = 'sign_in_failed';

-- A company sign-in on its way is kept by its browser, sealed: no row for each stranger who begins one.
DROP TABLE oidc_start;
