// Rows that tests put in directly: tokens of chosen kinds, memberships, what has ended or was revoked.

import { randomUUID } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { SPARSE_DIMENSIONS } from '../../src/index/weights.ts'
import type { Db, Queryable } from '../../src/ports/db/db.ts'
import type { Task } from '../../src/work/queue.sql.ts'

export interface TokenRows {
  grantId: string
  accountId: string
  /** SHA-256 of the token. */
  hash: Buffer
  scopes: string[]
  resource: string
  clientId: string | null
  sessionHash?: Buffer
  /** Seconds from now; negative for one that has ended. */
  expiresIn: number
}

export async function insertToken(db: Queryable, token: TokenRows): Promise<void> {
  await db.rows(sql`
    INSERT INTO token_grant (id, account_id, client_id, session_hash, scopes, resource)
    VALUES (${token.grantId}, ${token.accountId}, ${token.clientId}, ${token.sessionHash ?? null},
      ${token.scopes}::text[], ${token.resource})`)
  await db.rows(sql`
    INSERT INTO access_token (hash, grant_id, expires_at)
    VALUES (${token.hash}, ${token.grantId}, now() + make_interval(secs => ${token.expiresIn}))`)
}

/** A reindexing under way, of so many files that wait, each of so many bytes. */
export async function insertLargeJob(
  db: Queryable,
  job: { workspaceId: string; id: string; createdBy: string; files: number; bytes?: number },
): Promise<void> {
  await db.rows(sql`
    INSERT INTO job (workspace_id, id, created_by, kind)
    VALUES (${job.workspaceId}, ${job.id}, ${job.createdBy}, 'reindex')`)
  await db.rows(sql`
    INSERT INTO job_file (workspace_id, job_id, file_no, path, kind, size, content_hash, document_id, status)
    SELECT ${job.workspaceId}, ${job.id}, no, no || '.md', 'markdown', ${job.bytes ?? 100}::bigint, md5(no::text), gen_random_uuid(), 'queued'
    FROM generate_series(0, ${job.files - 1}::int) AS no`)
}

/** One file of a job as its worker leaves it. */
export const setFile = (
  db: Queryable,
  file: { workspaceId: string; jobId: string; fileNo: number; status: 'running' | 'done' },
): Promise<unknown> =>
  db.rows(sql`
    UPDATE job_file SET status = ${file.status}, stage = ${file.status}, started_at = coalesce(started_at, clock.at),
      finished_at = ${file.status === 'done' ? sql`clock.at` : sql`NULL`}
    FROM (SELECT now() AS at) clock
    WHERE workspace_id = ${file.workspaceId} AND job_id = ${file.jobId} AND file_no = ${file.fileNo}`)

/** The grant's tokens ran out a second ago. */
export const expireTokens = (db: Queryable, grantId: string): Promise<unknown> =>
  db.rows(sql`UPDATE access_token SET expires_at = now() - interval '1 second' WHERE grant_id = ${grantId}`)

export const revokeGrant = (db: Queryable, grantId: string): Promise<unknown> =>
  db.rows(sql`UPDATE token_grant SET revoked_at = now() WHERE id = ${grantId}`)

export const setStatus = (db: Queryable, accountId: string, status: string): Promise<unknown> =>
  db.rows(sql`UPDATE account SET status = ${status} WHERE id = ${accountId}`)

export const removeAccount = (db: Queryable, accountId: string): Promise<unknown> =>
  db.rows(sql`DELETE FROM account WHERE id = ${accountId}`)

/** Until a statement of another connection waits for a lock, or the time is over: the embedded engine has no others. */
export async function untilSomeoneWaits(db: Queryable, mostMs: number): Promise<void> {
  for (const end = Date.now() + mostMs; Date.now() < end; ) {
    const waitingLocks = await db.rows(sql`SELECT 1 FROM pg_locks WHERE NOT granted`)
    if (waitingLocks.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export const setRole = (
  db: Queryable,
  workspaceId: string,
  accountId: string,
  role: string,
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO member (workspace_id, account_id, role) VALUES (${workspaceId}, ${accountId}, ${role})
    ON CONFLICT (workspace_id, account_id) DO UPDATE SET role = EXCLUDED.role`)

export const ageFailures = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE sign_in_failure SET at = at - make_interval(secs => ${seconds})`)

/** As if no code had been used: tests do not wait half a minute for the next one. */
export const forgetLastCode = (db: Queryable, accountId: string): Promise<unknown> =>
  db.rows(sql`UPDATE second_factor SET last_step = NULL WHERE account_id = ${accountId}`)

export const agePending = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE pending_sign_in SET expires_at = expires_at - make_interval(secs => ${seconds})`)

export const ageSessions = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE session SET expires_at = expires_at - make_interval(secs => ${seconds})`)

/** They were opened so long ago. */
export const backdateSessions = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE session SET created_at = created_at - make_interval(secs => ${seconds})`)

/** It was made so long ago: two made within one tick of the database's clock, a millisecond on the embedded engine, have no order. */
export const backdateWorkspace = (db: Queryable, id: string, seconds: number): Promise<unknown> =>
  db.rows(
    sql`UPDATE workspace SET created_at = created_at - make_interval(secs => ${seconds}) WHERE id = ${id}`,
  )

/** Acts of the audit, as if written so long ago: for which its guard is off. */
export async function ageActivity(db: Db, days: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.rows(sql`ALTER TABLE activity DISABLE TRIGGER activity_append_only`)
    await tx.rows(sql`UPDATE activity SET at = at - make_interval(days => ${days})`)
    await tx.rows(sql`ALTER TABLE activity ENABLE TRIGGER activity_append_only`)
  })
}

export const countOf = async (
  db: Queryable,
  table: 'session' | 'access_token' | 'account' | 'token_grant',
): Promise<number> => {
  const statement = {
    session: sql`SELECT count(*)::int AS count FROM session`,
    access_token: sql`SELECT count(*)::int AS count FROM access_token`,
    account: sql`SELECT count(*)::int AS count FROM account`,
    token_grant: sql`SELECT count(*)::int AS count FROM token_grant`,
  }[table]
  const [row] = await db.rows<{ count: number }>(statement)
  return row?.count ?? 0
}

/** A job with one file of the given status, as an upload leaves it. */
export async function insertJob(
  db: Queryable,
  job: { workspaceId: string; id: string; createdBy: string; documentId: string; status: string },
): Promise<void> {
  await db.rows(sql`
    INSERT INTO job (workspace_id, id, created_by) VALUES (${job.workspaceId}, ${job.id}, ${job.createdBy})`)
  await db.rows(sql`
    INSERT INTO job_file (workspace_id, job_id, file_no, path, kind, size, content_hash, document_id, status)
    VALUES (${job.workspaceId}, ${job.id}, 0, 'note.md', 'md', 4, 'none', ${job.documentId}, ${job.status})`)
}

/** A document with one chunk, readable at once. */
export async function insertDocument(
  db: Queryable,
  document: {
    workspaceId: string
    id: string
    versionId: string
    title: string
    path?: string
    hash?: string
  },
): Promise<void> {
  const { workspaceId, id, versionId, title, path = `${title}.md` } = document
  await db.rows(sql`
    INSERT INTO document (workspace_id, id, version_id, path, title, title_key, provider, kind, content_hash,
      language, chunk_count, has_tables, uploaded_at)
    VALUES (${workspaceId}, ${id}, ${versionId}, ${path}, ${title}, ${title.toLowerCase()}, 'upload', 'md',
      ${document.hash ?? id}, 'en', 1, false, now())`)
  await db.rows(sql`
    INSERT INTO version (workspace_id, id, document_id, state) VALUES (${workspaceId}, ${versionId}, ${id}, 'live')`)
  await db.rows(sql`
    INSERT INTO chunk (workspace_id, version_id, chunk_no, id, document_id, type, text, heading, language, lex, terms,
      words)
    VALUES (${workspaceId}, ${versionId}, 0, ${versionId}, ${id}, 'text', ${`About ${title}.`}, '', 'en',
      ${`{}/${SPARSE_DIMENSIONS}`}::sparsevec, '{}', '{}')`)
}

/** A version of a document that was replaced a moment ago. */
export const insertReplaced = (
  db: Queryable,
  workspaceId: string,
  documentId: string,
  { hash, size }: { hash: string; size: number },
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO document_version (workspace_id, document_id, content_hash, filename, kind, size, uploaded_at, replaced_at)
    VALUES (${workspaceId}, ${documentId}, ${hash}, 'rules.md', 'markdown', ${size}, now(), now())`)

export const taskKinds = async (db: Queryable, workspaceId: string): Promise<string[]> => {
  const rows = await db.rows<{ kind: string }>(
    sql`SELECT kind FROM task WHERE workspace_id = ${workspaceId} ORDER BY kind`,
  )
  return rows.map(({ kind }) => kind)
}

/** Another name of an entity, merged by hand. */
export const insertMerged = (
  db: Queryable,
  workspaceId: string,
  id: string,
  intoId: string,
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO entity_merge (workspace_id, from_id, into_id, from_key, into_key, root_id, root_key, state, reason, settled)
    VALUES (${workspaceId}, ${id}, ${intoId}, 'other', 'own', ${intoId}, 'own', 'manual', 'merged by hand', true)`)

/** An entity without evidence: enough to be read. */
export const insertEntity = (
  db: Queryable,
  workspaceId: string,
  id: string,
  name: string,
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO entity (workspace_id, id, key, name, name_key, type, mention_count, document_count, aliases, keys, words)
    VALUES (${workspaceId}, ${id}, ${name.toLowerCase()}, ${name}, ${name.toLowerCase()}, 'organization', 1, 1, '{}',
      ${[name.toLowerCase()]}::text[], '{}')`)

/** Moves a key's end and last use into the past. */
export const ageKey = (db: Queryable, id: string, seconds: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE api_key SET expires_at = expires_at - make_interval(secs => ${seconds}),
      last_used_at = last_used_at - make_interval(secs => ${seconds})
    WHERE id = ${id}`)

/** What was written down, oldest first: of one workspace, or of the installation. */
export const activityOf = (
  db: Queryable,
  workspaceId: string | null,
): Promise<{ action: string; actor_id: string | null; subject: string | null; detail: object }[]> =>
  db.rows(sql`
    SELECT action, actor_id, subject, detail FROM activity
    WHERE workspace_id IS NOT DISTINCT FROM ${workspaceId}::uuid ORDER BY id`)

/** A thread of the principal's with one turn that cites a chunk. */
export async function insertThreadOf(
  db: Queryable,
  workspaceId: string,
  principal: string,
  citedPassage: { documentId: string; chunkId: string },
): Promise<string> {
  const id = randomUUID()
  const place = { number: 1, chunk_id: citedPassage.chunkId, document_id: citedPassage.documentId, spans: [] }
  await db.rows(
    sql`INSERT INTO thread (workspace_id, id, principal) VALUES (${workspaceId}, ${id}, ${principal})`,
  )
  await db.rows(sql`
    INSERT INTO turn (workspace_id, thread_id, turn_no, question, answer, citations)
    VALUES (${workspaceId}, ${id}, 1, 'What is it about?', 'About harbours [1].', ${JSON.stringify([place])}::jsonb)`)
  return id
}

export const removeMember = (db: Queryable, workspaceId: string, accountId: string): Promise<unknown> =>
  db.rows(sql`DELETE FROM member WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}`)

export const makeAdmin = (db: Queryable, accountId: string): Promise<unknown> =>
  db.rows(sql`UPDATE account SET admin = true WHERE id = ${accountId}`)

/** Moves the end of an invitation (by its id), or of a reset link (by its token), into the past. */
export const ageLinks = async (db: Queryable, which: string, seconds: number): Promise<void> => {
  await db.rows(sql`
    UPDATE invitation SET expires_at = expires_at - make_interval(secs => ${seconds}) WHERE id::text = ${which}`)
  await db.rows(sql`
    UPDATE password_reset SET expires_at = expires_at - make_interval(secs => ${seconds})
    WHERE hash = sha256(${which}::text::bytea)`)
}

/** All that nobody may do to what was written down. */
export const changesOfActivity = (workspaceId: string): Sql[] => [
  sql`UPDATE activity SET action = 'nothing' WHERE workspace_id = ${workspaceId}`,
  sql`UPDATE activity SET workspace_id = NULL WHERE workspace_id = ${workspaceId}`,
  sql`DELETE FROM activity WHERE workspace_id = ${workspaceId}`,
  sql`DELETE FROM activity WHERE workspace_id IS NULL`,
  sql`TRUNCATE activity`,
]

/** What is told with the files of a workspace. */
export const warningsOf = async (db: Queryable, workspaceId: string): Promise<string[]> => {
  const rows = await db.rows<{ warnings: string[] }>(sql`
    SELECT warnings FROM job_file WHERE workspace_id = ${workspaceId} ORDER BY job_id, file_no`)
  return rows.flatMap(({ warnings }) => warnings)
}

/** Networks of sign-ins as they are kept: so many days older from now on. */
export const ageNetworks = (db: Queryable, days: number): Promise<{ network: Buffer }[]> =>
  db.rows(
    sql`UPDATE sign_in_network SET seen_at = seen_at - make_interval(days => ${days}) RETURNING network`,
  )

/** How many rows there are of what an import writes. */
export async function importedRows(db: Queryable): Promise<number[]> {
  const rows = await db.rows<{ count: number }>(sql`
    SELECT count(*) FROM workspace UNION ALL SELECT count(*) FROM document UNION ALL SELECT count(*) FROM version
    UNION ALL SELECT count(*) FROM job UNION ALL SELECT count(*) FROM task`)
  return rows.map(({ count }) => count)
}

/** Counts of how documents are used are so many days older. */
export async function ageUse(db: Queryable, workspaceId: string, days: number): Promise<void> {
  await db.rows(sql`UPDATE document_use SET day = day - ${days}::int WHERE workspace_id = ${workspaceId}`)
  await db.rows(sql`UPDATE document_reader SET day = day - ${days}::int WHERE workspace_id = ${workspaceId}`)
}

export async function useRows(
  db: Queryable,
  workspaceId: string,
): Promise<{ counts: number; readers: number } | undefined> {
  const [row] = await db.rows<{ counts: number; readers: number }>(sql`
    SELECT (SELECT count(*)::int FROM document_use WHERE workspace_id = ${workspaceId}) AS counts,
      (SELECT count(*)::int FROM document_reader WHERE workspace_id = ${workspaceId}) AS readers`)
  return row
}

/** Claims the next import, as a worker does, and no other task. */
export async function claimImport(db: Queryable): Promise<Task | undefined> {
  const [task] = await db.rows<Task>(sql`
    UPDATE task SET attempt = attempt + 1, worker = 'calm', lease_until = now() + interval '30 s'
    WHERE id = (SELECT id FROM task WHERE kind = 'import' AND run_after <= now() AND (lease_until IS NULL OR lease_until < now())
      ORDER BY run_after LIMIT 1)
    RETURNING id, workspace_id, kind, subject, attempt, failures`)
  return task
}

/** The imports whose archive is being received, as if their processes had not been heard of for so long. */
export const ageReceiving = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE workspace_import SET received_at = received_at - make_interval(secs => ${seconds}) WHERE state = 'receiving'`)

/** Of the files of its jobs. */
export async function jobFileStates(db: Queryable, workspaceId: string): Promise<string[]> {
  const rows = await db.rows<{ status: string }>(
    sql`SELECT status FROM job_file WHERE workspace_id = ${workspaceId} ORDER BY job_id, file_no`,
  )
  return rows.map(({ status }) => status)
}

/** As the sweep does with those whose receiver has not been heard of. */
export const deleteReceivingImports = (db: Queryable): Promise<unknown> =>
  db.rows(sql`DELETE FROM workspace_import WHERE state = 'receiving'`)

/** What a worker that was killed held is free at once. */
export const freeImports = (db: Queryable): Promise<unknown> =>
  db.rows(sql`UPDATE task SET lease_until = NULL, run_after = now() WHERE kind = 'import'`)

export const setAccountStatus = (
  db: Queryable,
  accountId: string,
  status: 'active' | 'suspended',
): Promise<unknown> => db.rows(sql`UPDATE account SET status = ${status} WHERE id = ${accountId}`)

export const ageChallenges = (db: Queryable, seconds: number): Promise<unknown> =>
  db.rows(sql`UPDATE passkey_challenge SET expires_at = expires_at - make_interval(secs => ${seconds})`)
