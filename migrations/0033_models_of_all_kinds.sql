LOCK TABLE model_setting IN ACCESS EXCLUSIVE MODE;

-- Besides the language model: what makes embeddings, what orders results, what recognises text.
ALTER TABLE model_setting DROP CONSTRAINT model_setting_role_check,
  ADD CONSTRAINT model_setting_role_check CHECK (role IN ('language', 'embeddings', 'reranker', 'ocr')),
  ALTER COLUMN model DROP NOT NULL,         -- NULL: the server has one
  ADD COLUMN dimensions integer;            -- of embeddings, as measured; NULL: not measured

-- How many tokens of the language model the graph of a workspace may use. A row at most.
CREATE TABLE graph_setting (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  tokens bigint NOT NULL,
  set_by uuid NOT NULL,                     -- an account, which may be closed since
  set_at timestamptz NOT NULL DEFAULT now()
);
