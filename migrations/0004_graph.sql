-- The knowledge graph: evidence rows are the truth, entity and edge are sums over the evidence of live versions
-- (design/graph-and-answers.md). Re-indexing and deleting stay exact: what is touched is summed anew.

-- One extraction of a document. building: evidence is being written, counted by nobody; live: the document's graph;
-- retired: replaced or dropped, its evidence goes once the sums it touched are made anew. settled: sums are made.
CREATE TABLE document_graph (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  document_id uuid NOT NULL,
  state text NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  settled boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, version_id)
);
CREATE INDEX document_graph_document ON document_graph (workspace_id, document_id);
CREATE UNIQUE INDEX document_graph_live ON document_graph (workspace_id, document_id) WHERE state = 'live';

-- One place where a document names an entity. Offsets are UTF-16 units into the chunk's text.
CREATE TABLE mention (
  workspace_id uuid NOT NULL,
  version_id uuid NOT NULL,
  chunk_no integer NOT NULL,
  mention_no integer NOT NULL,              -- running number within the version
  entity_id uuid NOT NULL,                  -- UUIDv5 of workspace and key: the same in every document
  key text NOT NULL,
  surface text NOT NULL,
  own boolean NOT NULL,                     -- the surface has this key itself; else a short form or an adjective
  type text NOT NULL,
  start_at integer NOT NULL,
  end_at integer NOT NULL,
  PRIMARY KEY (workspace_id, version_id, chunk_no, mention_no)
);
CREATE INDEX mention_entity ON mention (workspace_id, entity_id, version_id);

-- One sentence that says head -type-> tail. Offsets of the sentence in the chunk's text, in UTF-16 units.
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

CREATE TABLE entity (
  workspace_id uuid NOT NULL,
  id uuid NOT NULL,
  key text COLLATE "C" NOT NULL,            -- normalised name (graph/names.ts)
  name text NOT NULL,
  name_key text COLLATE "C" NOT NULL,       -- case-folded by us, for the order of lists
  type text COLLATE "C" NOT NULL,
  mention_count integer NOT NULL,
  document_count integer NOT NULL,
  aliases text[] NOT NULL,
  keys text[] NOT NULL,                     -- keys of the name and of every alias
  words text[] NOT NULL,                    -- words of the names, and '~' forms that find them despite a typo
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 80);                   -- counts change often and stand in no index: room to update in place
CREATE INDEX entity_list ON entity (workspace_id, type, name_key, id);
CREATE INDEX entity_key ON entity (workspace_id, key);
CREATE INDEX entity_keys ON entity USING gin (keys) WITH (fastupdate = off);
CREATE INDEX entity_words ON entity USING gin (words) WITH (fastupdate = off);

CREATE TABLE edge (
  workspace_id uuid NOT NULL,
  head uuid NOT NULL,
  type text COLLATE "C" NOT NULL,
  tail uuid NOT NULL,
  evidence_count integer NOT NULL,
  PRIMARY KEY (workspace_id, head, type, tail)
) WITH (fillfactor = 80);
CREATE INDEX edge_tail ON edge (workspace_id, tail, type, head);
