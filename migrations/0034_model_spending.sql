-- What the language models take, by month (of UTC), person and model; what it costs by the prices that administrators entered; and
-- the limits of a month. Administrators alone see it.

CREATE TABLE model_spending (
  month date NOT NULL,                      -- its first day
  account_id uuid NOT NULL,                 -- who asked; nil for the graph, which nobody asks for; no reference: accounts are closed
  model text NOT NULL,
  questions bigint NOT NULL DEFAULT 0,      -- that the model was asked about, however many calls they took
  prompt_tokens bigint NOT NULL DEFAULT 0,
  answer_tokens bigint NOT NULL DEFAULT 0,
  estimated_tokens bigint NOT NULL DEFAULT 0, -- those of both that the server did not report
  unpriced_tokens bigint NOT NULL DEFAULT 0, -- those of both for which there was no price at the time
  cost numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (month, account_id, model)
);

-- Calls that a model is answering while there is a limit: what they may take counts towards it, until they end or are given up.
CREATE TABLE model_call (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  tokens bigint NOT NULL,
  cost numeric NOT NULL,
  expires_at timestamptz NOT NULL           -- after this the process that made it has died
);

-- The price of a million tokens, in the currency of the limits.
CREATE TABLE model_price (
  model text PRIMARY KEY,
  prompt numeric NOT NULL CHECK (prompt >= 0),
  answer numeric NOT NULL CHECK (answer >= 0)
);

-- At most one row. A limit that is NULL is none.
CREATE TABLE spending_limit (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  currency text NOT NULL,
  service_tokens bigint,
  service_cost numeric,
  person_tokens bigint,
  person_cost numeric
);
