// Publishes a document from its paragraphs as the pipeline does, without a file: one chunk a page.

import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { titleKey } from '../../src/documents/documents.ts'
import { toLexicalVector } from '../../src/index/weights.ts'
import { chunksOf } from '../../src/ingest/chunk/chunk.ts'
import { insertChunks, insertVersion, publishVersion } from '../../src/ingest/publish.sql.ts'
import type { Language } from '../../src/language/language.ts'
import type { Db } from '../../src/ports/db/db.ts'

/** A workspace of nobody. */
export async function bareWorkspace(db: Db): Promise<string> {
  const id = randomUUID()
  await db.rows(sql`INSERT INTO workspace (id, name, description, created_by) VALUES (${id}, 'w', '', ${id})`)
  return id
}

/** Publishes a version with a chunk for each text; returns their ids in order. */
export async function publish(
  db: Db,
  workspaceId: string,
  documentId: string,
  texts: readonly string[],
  title = 'paper',
  language: Language = 'en',
): Promise<string[]> {
  const key = { workspaceId, documentId, versionId: randomUUID() }
  const blocks = texts.map((text, i) => ({ kind: 'paragraph' as const, text, page: i + 1 }))
  const chunks = [...chunksOf(documentId, { blocks })].map((chunk) => ({ ...chunk, language }))
  const rows = chunks.map((chunk, i) => ({
    ...chunk,
    ...toLexicalVector({ ...chunk, title }),
    chunk_no: i,
    html: null,
    boxes: null,
  }))
  await insertVersion(db, key)
  for (let from = 0; from < rows.length; from += 25) await insertChunks(db, key, rows.slice(from, from + 25))
  await db.tx((tx) =>
    publishVersion(tx, key, {
      path: documentId,
      title,
      title_key: titleKey(title),
      kind: 'text',
      content_hash: key.versionId,
      language,
      pages: null,
      chunk_count: chunks.length,
      has_tables: false,
      uploaded_at: new Date(),
    }),
  )
  return chunks.map(({ id }) => id)
}
