// Documents written as the pipeline writes them, without its worker: chunks, their terms, the document's side.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Caller } from '../../src/auth/caller.ts'
import { nextStep, runStep } from '../../src/index/fold.sql.ts'
import { subjectBuilder } from '../../src/index/subject.ts'
import { documentVectorBuilder, toLexicalVector } from '../../src/index/weights.ts'
import { chunksOf } from '../../src/ingest/chunk/chunk.ts'
import {
  insertChunks,
  insertVersion,
  publishVersion,
  updateDocumentVector,
} from '../../src/ingest/publish.sql.ts'
import type { Language } from '../../src/language/language.ts'
import type { Db } from '../../src/ports/db/db.ts'
import type { Block } from '../../src/reader/block.ts'

export interface Put {
  title?: string
  language?: Language
  /** Where it stands among the uploads; the document's id without it. */
  path?: string
  kind?: string
  /** Of the version, where it must be the same each time. */
  versionId?: string
}

/** Writes a version (in English, unless said otherwise) and publishes it; returns its chunk texts by id. */
export async function putDocument(
  db: Db,
  workspaceId: string,
  documentId: string,
  blocks: readonly Block[],
  { title = 'paper', path = documentId, kind = 'text', language = 'en', versionId = randomUUID() }: Put = {},
): Promise<Map<string, string>> {
  const key = { workspaceId, documentId, versionId }
  const chunks = [...chunksOf(documentId, { blocks: [...blocks] })]
  const documentVector = documentVectorBuilder(title)
  const subject = subjectBuilder(title)
  const rows = chunks.map((chunk, i) => {
    const { body, ...side } = toLexicalVector({ ...chunk, language, title })
    documentVector.add(body, language)
    subject.add(chunk.text, language)
    return { ...chunk, ...side, language, chunk_no: i, html: null, boxes: null }
  })
  await insertVersion(db, key)
  for (let from = 0; from < rows.length; from += 100)
    await insertChunks(db, key, rows.slice(from, from + 100))
  await updateDocumentVector(db, key, documentVector.vector(), subject.subject())
  await db.tx((tx) =>
    publishVersion(tx, key, {
      path,
      title,
      title_key: title,
      kind,
      content_hash: key.versionId,
      language,
      pages: null,
      chunk_count: chunks.length,
      has_tables: false,
      uploaded_at: new Date(),
    }),
  )
  return new Map(chunks.map(({ id, text }) => [id, text]))
}

/** One paragraph a page, so that each is a chunk of its own. */
export const pages = (texts: readonly string[]): Block[] =>
  texts.map((text, i) => ({ kind: 'paragraph', text, page: i + 1 }))

/** Folds and sweeps what is unsettled, at most so many steps. */
export async function settle(db: Db, workspaceId: string, steps = Number.POSITIVE_INFINITY): Promise<void> {
  for (let step = 0; step < steps; step++) {
    const step = await nextStep(db, workspaceId)
    if (!step) return
    await runStep(db, workspaceId, step)
  }
}

/** An account that may read what `workspaceFor` makes. */
export async function someone(db: Db): Promise<Caller & { userId: string }> {
  const caller = {
    auth: 'session' as const,
    id: randomUUID(),
    userId: randomUUID(),
    scopes: ['knowledge:read' as const],
  }
  await db.rows(sql`
    INSERT INTO account (id, email, email_key, password_hash)
    VALUES (${caller.userId}, ${caller.userId}, ${caller.userId}, '')`)
  return caller
}

export async function workspaceFor(
  db: Db,
  caller: { userId: string },
  id: string = randomUUID(),
): Promise<string> {
  await db.rows(sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'w', '', ${id})`)
  await db.rows(
    sql`INSERT INTO member (workspace_id, account_id, role) VALUES (${id}, ${caller.userId}, 'viewer')`,
  )
  return id
}
