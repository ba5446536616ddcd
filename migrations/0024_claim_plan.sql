-- The plan of claim_task is made once for each connection. Made anew for each call it was most of the call, since the
-- statement is long and finds one row: 2.5 ms of the embedded engine's time for a claim and 2.2 ms for a look at an empty
-- queue, of which a worker takes some six a second, are 1.1 and .7 ms.
ALTER FUNCTION claim_task(text, text, interval, interval, interval, integer, integer, uuid[])
  SET plan_cache_mode = force_generic_plan;
