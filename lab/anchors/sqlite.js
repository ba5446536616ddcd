// SQLite (libSQL's build) with FTS5 and sqlite-vec: exact BM25 over the whole table, exact vectors by partition.

import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import Database from 'libsql'
import { fuse } from './fuse.js'

const { getLoadablePath } = createRequire(import.meta.url)('sqlite-vec')

/** Any of the words, as the others search. */
const matchOf = (query) =>
  query
    .split(' ')
    .map((word) => `"${word}"`)
    .join(' OR ')
const blob = (vector) => Buffer.from(new Float32Array(vector).buffer)

export async function open(home, batches, dimensions) {
  mkdirSync(home, { recursive: true })
  const db = new Database(join(home, 'data.db'))
  db.loadExtension(getLoadablePath())
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE chunk (no INTEGER PRIMARY KEY, id TEXT, ws INTEGER, text TEXT);
    CREATE INDEX chunk_ws ON chunk (ws);
    CREATE VIRTUAL TABLE fts USING fts5(text, content='chunk', content_rowid='no', tokenize='porter unicode61');
    CREATE VIRTUAL TABLE vec USING vec0(ws integer partition key, v float[${dimensions}] distance_metric=cosine)`)
  const insertChunk = db.prepare('INSERT INTO chunk (no, id, ws, text) VALUES (?, ?, ?, ?)')
  const insertText = db.prepare('INSERT INTO fts (rowid, text) VALUES (?, ?)')
  const insertVector = db.prepare('INSERT INTO vec (rowid, ws, v) VALUES (?, ?, ?)')
  let no = 0
  for await (const rows of batches(1000)) {
    db.exec('BEGIN')
    for (const { id, ws, text, vector } of rows) {
      no++
      insertChunk.run(no, id, ws, text)
      insertText.run(no, text)
      insertVector.run(BigInt(no), BigInt(ws), blob(vector))
    }
    db.exec('COMMIT')
  }
  const byText = db.prepare(`SELECT c.id FROM fts JOIN chunk c ON c.no = fts.rowid
    WHERE fts MATCH ? AND c.ws = ? ORDER BY fts.rank LIMIT ?`)
  const byVector = db.prepare(`SELECT c.id FROM vec JOIN chunk c ON c.no = vec.rowid
    WHERE vec.v MATCH ? AND vec.ws = ? AND k = ? ORDER BY vec.distance`)
  const lexical = (query, ws, limit) => byText.all(matchOf(query), ws, limit).map(({ id }) => id)
  const vector = (v, ws, limit) => byVector.all(blob(v), BigInt(ws), limit).map(({ id }) => id)
  return {
    lexical: async (item, ws) => lexical(item.query, ws, 10),
    vector: async (item, ws) => vector(item.vector, ws, 10),
    hybrid: async (item, ws) => fuse(lexical(item.query, ws, 50), vector(item.vector, ws, 50)).slice(0, 10),
  }
}
