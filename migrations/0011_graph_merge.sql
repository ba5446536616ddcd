-- Which names of different documents are one entity, why, and that somebody said they are not; and sums of mentions
-- that change by what came or went instead of being counted anew (decisions/0014-graph.md).

-- Active (automatic, manual): the evidence of from_id counts for root_id, the end of the chain that begins with into_id.
-- undone: refused by a person, remembered. lapsed: an automatic one whose reason is gone, until its sums are made.
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

-- A version's mentions of an entity stand in entity_part: exactly once, whatever is killed and run again.
CREATE TABLE entity_counted (
  workspace_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  version_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, entity_id, version_id)
);

-- Counted mentions by entity (as its document names it, before merges), surface and type.
CREATE TABLE entity_part (
  workspace_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  key text NOT NULL,
  surface text COLLATE "C" NOT NULL,
  own boolean NOT NULL,
  type text COLLATE "C" NOT NULL,
  mentions integer NOT NULL
) WITH (fillfactor = 80);
-- By hash: a surface may be longer than an index entry.
CREATE UNIQUE INDEX entity_part_key ON entity_part (workspace_id, entity_id, md5(surface), own, type);
-- Short forms that a document explains: the candidates of automatic merges.
CREATE INDEX entity_part_short ON entity_part (workspace_id, lower(surface))
  WHERE NOT own AND surface ~ '^[A-Z0-9]{2,10}$';

CREATE INDEX relation_evidence_tail ON relation_evidence (workspace_id, tail);

INSERT INTO entity_counted (workspace_id, entity_id, version_id)
SELECT DISTINCT m.workspace_id, m.entity_id, m.version_id FROM mention m
JOIN document_graph g ON g.workspace_id = m.workspace_id AND g.version_id = m.version_id AND g.state = 'live';

INSERT INTO entity_part (workspace_id, entity_id, key, surface, own, type, mentions)
SELECT m.workspace_id, m.entity_id, min(m.key), m.surface, m.own, m.type, count(*) FROM mention m
JOIN document_graph g ON g.workspace_id = m.workspace_id AND g.version_id = m.version_id AND g.state = 'live'
GROUP BY m.workspace_id, m.entity_id, m.surface, m.own, m.type;
