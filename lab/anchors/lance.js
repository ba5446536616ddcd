// LanceDB: its full-text index (stemmed) and HNSW over quantised vectors, filtered before the search.

import * as lancedb from '@lancedb/lancedb'
import { fuse } from './fuse.js'

export async function open(home, batches) {
  const db = await lancedb.connect(home)
  let table
  for await (const rows of batches(5000)) {
    const data = rows.map(({ id, ws, text, vector }) => ({ id, ws: `w${ws}`, text, vector: [...vector] }))
    if (table) await table.add(data)
    else table = await db.createTable('chunk', data)
  }
  await table.createIndex('text', { config: lancedb.Index.fts({ stem: true, removeStopWords: true }) })
  await table.createIndex('vector', { config: lancedb.Index.hnswSq({ distanceType: 'cosine' }) })
  await table.createIndex('ws', { config: lancedb.Index.bitmap() })
  const ids = (rows) => rows.map(({ id }) => id)
  const lexical = async (query, ws, limit) =>
    ids(await table.search(query, 'fts', 'text').where(`ws = 'w${ws}'`).select(['id']).limit(limit).toArray())
  const near = (vector, ws, limit) =>
    table.vectorSearch(vector).distanceType('cosine').where(`ws = 'w${ws}'`).select(['id']).limit(limit)
  const vector = async (v, ws, limit) => ids(await near(v, ws, limit).toArray())
  return {
    lexical: (item, ws) => lexical(item.query, ws, 10),
    vector: (item, ws) => vector(item.vector, ws, 10),
    hybrid: async (item, ws) =>
      fuse(...(await Promise.all([lexical(item.query, ws, 50), vector(item.vector, ws, 50)]))).slice(0, 10),
    exactVector: async (item, ws) => ids(await near(item.vector, ws, 10).bypassVectorIndex().toArray()),
  }
}
