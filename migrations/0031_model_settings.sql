-- The models that administrators set in the console. A setting of the environment wins over its row. `revision` changes with each
-- change: by it every process sees that the model it has open is an old one.
CREATE TABLE model_setting (
  role text PRIMARY KEY CHECK (role IN ('language')),
  revision uuid NOT NULL,
  url text NOT NULL,
  model text NOT NULL,
  context_tokens integer,                   -- NULL: the server is asked
  key bytea,                                -- sealed; NULL: the server needs none
  set_by uuid NOT NULL,                     -- an account, which may be closed since
  set_at timestamptz NOT NULL DEFAULT now()
);
