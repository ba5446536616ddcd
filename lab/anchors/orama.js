// Orama: BM25 and exact vectors in the memory of the process.

import { create, insertMultiple, search } from '@orama/orama'
import { fuse } from './fuse.js'

export async function open(_home, batches, dimensions) {
  const db = create({
    schema: { text: 'string', ws: 'number', vector: `vector[${dimensions}]` },
    components: { tokenizer: { stemming: true, language: 'english' } },
  })
  for await (const rows of batches(1000)) {
    const data = rows.map(({ id, ws, text, vector }) => ({ id, ws, text, vector: [...vector] }))
    await insertMultiple(db, data, 1000)
  }
  const ids = ({ hits }) => hits.map(({ id }) => id)
  const where = (ws) => ({ ws: { eq: ws } })
  // threshold 1: any of the words, as the others search.
  const lexical = async (query, ws, limit) =>
    ids(await search(db, { term: query, properties: ['text'], where: where(ws), limit, threshold: 1 }))
  const vector = async (v, ws, limit) =>
    ids(
      await search(db, {
        mode: 'vector',
        vector: { value: v, property: 'vector' },
        where: where(ws),
        limit,
        similarity: 0,
      }),
    )
  return {
    inMemory: true,
    lexical: (item, ws) => lexical(item.query, ws, 10),
    vector: (item, ws) => vector(item.vector, ws, 10),
    hybrid: async (item, ws) =>
      fuse(await lexical(item.query, ws, 50), await vector(item.vector, ws, 50)).slice(0, 10),
  }
}
