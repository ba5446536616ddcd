// Many documents' rows at once, as publishing and folding leave them: live, counted, settled. Secondary indexes are made
// again behind the rows, by the definitions that the migrations gave them.

import sql, { raw } from 'sql-template-tag'
import type { Db, Queryable } from '../../src/ports/db/db.ts'

export interface BulkDocument {
  id: string
  versionId: string
  path: string
  title: string
  titleKey: string
  language: string
  chunks: number
  lex: string | null
}

export interface BulkChunk {
  versionId: string
  documentId: string
  chunkNo: number
  id: string
  type: string
  text: string
  heading: string
  language: string
  lex: string
  /** PostgreSQL's text form of an array. */
  terms: string
  /** A line each. */
  words: string
  pairs: number
}

export const insertDocuments = (db: Db, workspaceId: string, rows: BulkDocument[]): Promise<void> =>
  db.tx(async (tx) => {
    const text = (of: (row: BulkDocument) => string | null): (string | null)[] => rows.map(of)
    const chunks = rows.map((row) => row.chunks)
    await tx.rows(sql`
      INSERT INTO version (workspace_id, id, document_id, state, folded, settled, lex)
      SELECT ${workspaceId}, v.id, v.document_id, 'live', v.chunks, true, v.lex::sparsevec
      FROM unnest(${text((row) => row.versionId)}::uuid[], ${text((row) => row.id)}::uuid[], ${chunks}::int[],
        ${text((row) => row.lex)}::text[]) AS v (id, document_id, chunks, lex)`)
    await tx.rows(sql`
      INSERT INTO document (workspace_id, id, version_id, path, title, title_key, provider, kind, content_hash,
        language, chunk_count, has_tables, uploaded_at)
      SELECT ${workspaceId}, d.id, d.version_id, d.path, d.title, d.title_key, 'upload', 'markdown', d.id::text,
        d.language, d.chunks, false, now()
      FROM unnest(${text((row) => row.id)}::uuid[], ${text((row) => row.versionId)}::uuid[],
        ${text((row) => row.path)}::text[], ${text((row) => row.title)}::text[], ${text((row) => row.titleKey)}::text[],
        ${text((row) => row.language)}::text[], ${chunks}::int[])
        AS d (id, version_id, path, title, title_key, language, chunks)`)
  })

export async function insertChunks(db: Queryable, workspaceId: string, rows: BulkChunk[]): Promise<void> {
  const text = (of: (row: BulkChunk) => string): string[] => rows.map(of)
  await db.rows(sql`
    INSERT INTO chunk (workspace_id, version_id, document_id, chunk_no, id, type, text, heading, language, lex, terms,
      words, pairs)
    SELECT ${workspaceId}, c.version_id, c.document_id, c.chunk_no, c.id, c.type, c.text, c.heading, c.language,
      c.lex::sparsevec, c.terms::int[], string_to_array(c.words, chr(10)), c.pairs
    FROM unnest(${text((row) => row.versionId)}::uuid[], ${text((row) => row.documentId)}::uuid[],
      ${rows.map((row) => row.chunkNo)}::int[], ${text((row) => row.id)}::uuid[], ${text((row) => row.type)}::text[],
      ${text((row) => row.text)}::text[], ${text((row) => row.heading)}::text[],
      ${text((row) => row.language)}::text[], ${text((row) => row.lex)}::text[], ${text((row) => row.terms)}::text[],
      ${text((row) => row.words)}::text[], ${rows.map((row) => row.pairs)}::smallint[])
      AS c (version_id, document_id, chunk_no, id, type, text, heading, language, lex, terms, words, pairs)`)
}

export const insertTerms = (
  db: Queryable,
  workspaceId: string,
  { terms, counts, words }: { terms: number[]; counts: number[]; words: string[] },
): Promise<unknown> =>
  db.rows(sql`
    INSERT INTO term_stat (workspace_id, term, word, df)
    SELECT ${workspaceId}, t.term, t.word, t.df
    FROM unnest(${terms}::int[], ${words}::text[], ${counts}::int[]) AS t (term, word, df)
    ON CONFLICT (workspace_id, term) DO UPDATE SET df = term_stat.df + excluded.df,
      word = least(term_stat.word, excluded.word)`)

/** Drops what slows the filling down; returns how it is made again. */
export async function dropIndexes(db: Db): Promise<string[]> {
  const rows = await db.rows<{ name: string; definition: string }>(sql`
    SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i
    WHERE NOT i.indisunique AND i.indrelid IN ('chunk'::regclass, 'term_stat'::regclass)`)
  for (const { name } of rows) await db.rows(raw(`DROP INDEX ${name}`))
  return rows.map((row) => row.definition)
}

export const createIndex = (db: Db, definition: string, memory: string): Promise<void> =>
  db.tx(async (tx) => {
    await tx.rows(raw(`SET LOCAL maintenance_work_mem = '${memory}'`))
    await tx.rows(raw(definition))
  })

/** All rows that a search reads, in one order, without what is drawn at random or a time: to compare two fills. */
export const selectAll = (db: Db, workspaceId: string): Promise<object[]> =>
  db.rows(sql`
    SELECT d.title, d.title_key, d.language, d.chunk_count, c.chunk_no, c.type, c.text, c.html, c.heading, c.page,
      c.boxes, c.language AS spoken, c.lex::text AS lex, c.terms, c.words, c.pairs, v.lex::text AS whole, v.state, v.settled
    FROM document d
    JOIN version v ON v.workspace_id = d.workspace_id AND v.id = d.version_id
    JOIN chunk c ON c.workspace_id = v.workspace_id AND c.version_id = v.id
    WHERE d.workspace_id = ${workspaceId} ORDER BY d.title, c.chunk_no`)

export const selectTermStat = (db: Db, workspaceId: string): Promise<object[]> =>
  db.rows(
    sql`SELECT term, word, df FROM term_stat WHERE workspace_id = ${workspaceId} AND df > 0 ORDER BY term`,
  )
