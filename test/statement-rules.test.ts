// What statement-rules.ts finds in a statement: the API tests hold every statement that they run against these rules.

import { loadModule } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { brokenRules } from './support/statement-rules.ts'

beforeAll(() => loadModule())

test.each([
  ['a table by its workspace', 'SELECT id FROM document WHERE workspace_id = $1'],
  [
    'a join with a table that is',
    'SELECT 1 FROM chunk c JOIN document d ON d.workspace_id = c.workspace_id WHERE c.workspace_id = $1',
  ],
  [
    'a view of a table',
    'SELECT 1 FROM visible_chunk v WHERE v.workspace_id = ANY ((SELECT ARRAY[$1::uuid])::uuid[])',
  ],
  [
    'a subselect of its own',
    'SELECT 1 FROM document d WHERE d.workspace_id = $1 AND EXISTS (SELECT 1 FROM chunk c WHERE c.workspace_id = $1 AND c.version_id = d.version_id)',
  ],
  [
    'tables of the coordinator, whatever they are asked for',
    'SELECT w.id FROM workspace w JOIN task t ON t.workspace_id = w.id AND t.run_after < now()',
  ],
  [
    'a subselect on the coordinator that stands alone',
    'SELECT 1 FROM job_file f WHERE f.workspace_id = $1 AND f.job_id IN (SELECT t.subject ->> $2 FROM task t WHERE t.workspace_id = $1)',
  ],
  [
    'a reference table',
    'SELECT 1 FROM workspace_space w JOIN vector_space s ON s.id = w.space_id WHERE w.workspace_id = $1',
  ],
  ['a function that nodes have', 'SELECT chunks_beside($1) FROM workspace_language WHERE workspace_id = $1'],
  ['a function of the coordinator, alone', 'SELECT role_in($1, $2)'],
  ['rows of a workspace', 'INSERT INTO document (workspace_id, id) VALUES ($1, $2)'],
  [
    'rows made from rows of a workspace',
    'INSERT INTO chunk (workspace_id, version_id) SELECT v.workspace_id, v.id FROM version v WHERE v.workspace_id = $1',
  ],
  [
    'tasks made from rows of a workspace',
    'INSERT INTO task (id, workspace_id) SELECT gen_random_uuid(), f.workspace_id FROM job_file f WHERE f.workspace_id = $1',
  ],
  ['what is marked', '/* every workspace */ SELECT workspace_id FROM version WHERE state = $1'],
  ['the time of a change', 'UPDATE document SET updated_at = now() WHERE workspace_id = $1'],
  [
    'names of WITH',
    'WITH task AS (SELECT 1 AS id) SELECT 1 FROM document d, task WHERE d.workspace_id = $1 AND task.id = d.pages',
  ],
])('takes %s', (_, statement) => {
  expect(brokenRules(statement)).toEqual([])
})

test.each([
  ['a table without it', 'SELECT id FROM document WHERE id = $1', 'document without its workspace_id'],
  [
    'a subselect that has that of the row around it',
    'SELECT 1 FROM document d WHERE d.workspace_id = $1 AND EXISTS (SELECT 1 FROM chunk c WHERE c.workspace_id = d.workspace_id)',
    'chunk without its workspace_id',
  ],
  [
    'what is joined to what an outer join may leave empty',
    'SELECT 1 FROM turn t LEFT JOIN document d ON d.workspace_id = t.workspace_id LEFT JOIN chunk c ON c.workspace_id = d.workspace_id WHERE t.workspace_id = $1',
    'chunk without its workspace_id',
  ],
  [
    'one side of a UNION',
    'SELECT id FROM document WHERE workspace_id = $1 UNION SELECT id FROM entity',
    'entity without its workspace_id',
  ],
  ['a cursor', 'DECLARE c CURSOR FOR SELECT id FROM document', 'document without its workspace_id'],
  ['a change', 'DELETE FROM term_stat WHERE term = $1', 'term_stat without its workspace_id'],
  ['rows of no workspace', 'INSERT INTO document (id) VALUES ($1)', 'document without its workspace_id'],
  [
    'a join with the coordinator',
    'SELECT 1 FROM job_file f JOIN workspace w ON w.id = f.workspace_id WHERE f.workspace_id = $1',
    'joins workspace, which is on the coordinator, with job_file',
  ],
  [
    'a question to the coordinator for each row',
    'SELECT 1 FROM version v WHERE v.workspace_id = $1 AND EXISTS (SELECT 1 FROM task t WHERE t.subject = v.id)',
    'asks task, which is on the coordinator, for each row of version',
  ],
  [
    'a row for each of the coordinator',
    'SELECT (SELECT count(*) FROM document d WHERE d.workspace_id = w.id) FROM workspace w',
    'document without its workspace_id',
  ],
  [
    'a table of the catalogue',
    "SELECT (SELECT reltuples FROM pg_class WHERE oid = 'chunk'::regclass) FROM document WHERE workspace_id = $1",
    'asks pg_class beside document, so that Citus takes it apart',
  ],
  [
    'a name of WITH that a table of the nodes has too',
    'WITH version AS (SELECT id FROM document WHERE workspace_id = $1) SELECT id FROM version',
    'calls a part of WITH version, as a table: a node would read that',
  ],
  [
    'a function that only the coordinator has',
    'SELECT role_in($1, $2), (SELECT count(*) FROM document WHERE workspace_id = $1)',
    'calls role_in() beside document, whose node does not know the answer',
  ],
  [
    'a clock that moves',
    'UPDATE thread SET updated_at = clock_timestamp() WHERE workspace_id = $1',
    'clock_timestamp() in a change',
  ],
  [
    'a time by choice',
    'UPDATE job_file SET started_at = coalesce(started_at, now()) WHERE workspace_id = $1',
    'now() in CASE, COALESCE or DO UPDATE of a change',
  ],
  [
    'the time of a second attempt',
    'INSERT INTO scope (workspace_id) VALUES ($1) ON CONFLICT (workspace_id) DO UPDATE SET updated_at = now()',
    'now() in CASE, COALESCE or DO UPDATE of a change',
  ],
])('finds %s', (_, statement, rule) => {
  expect(brokenRules(statement)).toContain(rule)
})
