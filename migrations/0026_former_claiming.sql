-- How workers of the version before claim, who run on while others are replaced: 0025_own_leases.sql dropped it, and they
-- would stand idle. What they hold themselves they do not say, so that they may take it over from themselves, as before.
CREATE FUNCTION claim_task(claimant text, wanted text, lease interval, patience interval, fold_lag interval,
  folds integer, files integer)
RETURNS TABLE (id uuid, workspace_id uuid, kind text, subject jsonb, attempt integer, failures integer)
LANGUAGE sql AS $$
  SELECT * FROM claim_task(claimant, wanted, lease, patience, fold_lag, folds, files, '{}'::uuid[])
$$;
