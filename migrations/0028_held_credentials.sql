-- A long request asks for its credential again in the transaction that commits what it brought. The rows are held until
-- that transaction ends: a revocation that commits first is seen, one that comes later waits for it. Runs as the owner of
-- the tables, because requests may not read what proves who somebody is. The clock is read when a row has been waited
-- for, not when the transaction began.
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
  -- In the order in which suspending an account and ending a session take them, so that nobody waits in a circle.
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
