-- The knowledge graph (docs/decisions/0014-graph.md). Evidence (mention, relation_evidence) is the truth; entity and edge are
-- sums over the evidence of live versions. What a document changes is summed again, so that indexing it anew or deleting it
-- leaves exact sums.

-- One extraction of a document. `state`:
--   building  evidence is being written, nothing counts it
--   live      the document's graph
--   retired   replaced or dropped; its evidence is deleted once the sums it is part of are made anew
CREATE TABLE document_graph (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  document_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  settled boolean NOT NULL DEFAULT false,   -- the sums are made
  PRIMARY KEY (workspace_id, version_id)
);
CREATE INDEX document_graph_document ON document_graph (workspace_id, document_id);
CREATE UNIQUE INDEX document_graph_live ON document_graph (workspace_id, document_id) WHERE state = 'live';
SELECT isolate_by_workspace('document_graph');

-- A place where a document names an entity. Offsets are UTF-16 units into the chunk's text.
CREATE TABLE mention (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  chunk_no integer NOT NULL,
  mention_no integer NOT NULL,              -- running number within the version
  entity_id uuid NOT NULL,                  -- UUIDv5 of workspace and key: the same in every document
  key text NOT NULL,
  surface text NOT NULL,
  own boolean NOT NULL,                     -- the key is that of the surface itself; false: a short form or an adjective
  type text NOT NULL,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  PRIMARY KEY (workspace_id, version_id, chunk_no, mention_no)
);
CREATE INDEX mention_entity ON mention (workspace_id, entity_id, version_id);
SELECT isolate_by_workspace('mention');

-- A sentence that says head -type-> tail. Offsets of the sentence are UTF-16 units into the chunk's text.
CREATE TABLE relation_evidence (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  chunk_no integer NOT NULL,
  relation_no integer NOT NULL,
  head uuid NOT NULL,
  type text NOT NULL,
  tail uuid NOT NULL,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  PRIMARY KEY (workspace_id, version_id, chunk_no, relation_no)
);
CREATE INDEX relation_evidence_edge ON relation_evidence (workspace_id, head, type, tail);
CREATE INDEX relation_evidence_tail ON relation_evidence (workspace_id, tail);
SELECT isolate_by_workspace('relation_evidence');

CREATE TABLE entity (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  key text COLLATE "C" NOT NULL,            -- the normalised name
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,       -- case-folded by Kenning, for the order of lists
  type text COLLATE "C" NOT NULL,
  mention_count integer NOT NULL,
  document_count integer NOT NULL,
  aliases text[] NOT NULL,
  keys text[] NOT NULL,                     -- keys of the name and of every alias
  words text[] NOT NULL,                    -- words of the names, and '~' forms that find them despite a typo
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);                   -- counts change often and are in no index: room to update them in place
CREATE INDEX entity_list ON entity (workspace_id, type, name_key, id);
CREATE INDEX entity_key ON entity (workspace_id, key);
-- Without fastupdate: with a pending list some reader pays for many writers.
CREATE INDEX entity_keys ON entity USING gin (keys) WITH (fastupdate = off);
CREATE INDEX entity_words ON entity USING gin (words) WITH (fastupdate = off);
SELECT isolate_by_workspace('entity');
CREATE VIEW visible_entity AS SELECT * FROM entity
  WHERE (SELECT NOT row_security_active('entity'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);

CREATE TABLE edge (
  workspace_id uuid NOT NULL,
  head uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  tail uuid NOT NULL,
  evidence_count integer NOT NULL,
  PRIMARY KEY (workspace_id, head, type, tail)
) WITH (fillfactor = 80);
CREATE INDEX edge_tail ON edge (workspace_id, tail, type, head);
SELECT isolate_by_workspace('edge');

-- Mentions that are counted, by entity (as its document names it, before merges), surface and type. The sums change by what a
-- document adds or takes away, instead of being counted anew.
CREATE TABLE entity_part (
  workspace_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  key text NOT NULL,
  surface text COLLATE "C" NOT NULL,
  own boolean NOT NULL,
  type text COLLATE "C" NOT NULL,
  mentions integer NOT NULL
) WITH (fillfactor = 80);
-- By hash, since a surface may be too long for an index entry.
CREATE UNIQUE INDEX entity_part_key ON entity_part (workspace_id, entity_id, md5(surface), own, type);
-- Short forms that a document explains: candidates for automatic merges.
CREATE INDEX entity_part_short ON entity_part (workspace_id, lower(surface))
  WHERE NOT own AND surface ~ '^[A-Z0-9]{2,10}$';
SELECT isolate_by_workspace('entity_part');
CREATE VIEW visible_entity_part AS SELECT * FROM entity_part
  WHERE (SELECT NOT row_security_active('entity_part'::regclass)) OR workspace_id = ANY ((SELECT request_workspaces())::uuid[]);

-- The mentions of an entity in a version are in entity_part: counted exactly once, whatever is killed and run again.
CREATE TABLE entity_counted (
  workspace_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  version_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, entity_id, version_id)
);
SELECT isolate_by_workspace('entity_counted');

-- Which names from different documents are one entity, and why. `state`:
--   automatic, manual  active: the evidence of from_id counts for root_id, the end of the chain that begins with into_id
--   undone             a person said that they are not the same; remembered
--   lapsed             an automatic merge whose reason is gone, until its sums are made anew
CREATE TABLE entity_merge (
  workspace_id uuid NOT NULL,
  from_id uuid NOT NULL,
  into_id uuid NOT NULL,
  from_key text NOT NULL,
  into_key text NOT NULL,
  root_id uuid NOT NULL,
  root_key text NOT NULL,
  state text NOT NULL CHECK (state IN ('automatic', 'manual', 'undone', 'lapsed')),
  reason text NOT NULL,
  settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, from_id, into_id)
);
CREATE UNIQUE INDEX entity_merge_active ON entity_merge (workspace_id, from_id) WHERE state IN ('automatic', 'manual');
CREATE INDEX entity_merge_root ON entity_merge (workspace_id, root_id);
CREATE INDEX entity_merge_unsettled ON entity_merge (workspace_id) WHERE NOT settled;
SELECT isolate_by_workspace('entity_merge');

-- The verified findings of a language model, by a hash of the request: nothing is asked twice, also after a crash or when the
-- file is uploaded again. Deleted with the document.
CREATE TABLE graph_reply (
  workspace_id uuid NOT NULL,
  document_id uuid NOT NULL,
  hash text NOT NULL,                       -- SHA-256 of texts, model, prompt and schema
  findings jsonb NOT NULL,                  -- offsets count from the beginning of each chunk in the request
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, document_id, hash)
);
SELECT isolate_by_workspace('graph_reply');

-- Tokens spent on the workspace's graph: booked before a call, corrected right after it.
CREATE TABLE graph_spending (
  workspace_id uuid PRIMARY KEY,
  tokens bigint NOT NULL
);
SELECT isolate_by_workspace('graph_spending');
