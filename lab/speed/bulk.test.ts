// The bulk fill of the benchmarks writes the same rows as the pipeline for the same documents.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../src/reader/pool.ts'
import { type TestApp, testApp } from '../../test/support/app.ts'
import { drain, upload } from '../../test/support/ingest.ts'
import { dropIndexes, selectAll, selectTermStat } from './bulk.sql.ts'
import { bulkFill } from './bulk.ts'
import { openCorpus } from './corpus.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

test.each([
  { words: 225, isServer: false },
  { words: 110, isServer: true },
])(
  'as uploads leave behind, paragraphs of $words words, as for a server: $isServer',
  async ({ words, isServer }) => {
    const corpus = { words }
    const owner = await app.person()
    const [uploaded, filled] = [await app.workspace(owner), await app.workspace(owner)]
    const makeDoc = await openCorpus(corpus)
    const files = [0, 1]
      .map(makeDoc)
      .map(({ title, text }, i) => [`000000${i + 1}.md`, `# ${title}\n\n${text}\n`])
    await upload(app.deps, owner, uploaded, Object.fromEntries(files))
    const parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
    await drain({ ...app.deps, parser })
    await parser.close()
    const options = { corpus, isServer, vectors: false }
    await bulkFill(app.deps, [{ workspaceId: filled, first: 0, count: 2 }], options)

    const rows = await selectAll(app.deps.db, filled)
    expect(rows.length).toBe(100)
    expect(rows).toEqual(await selectAll(app.deps.db, uploaded))
    expect(await selectTermStat(app.deps.db, filled)).toEqual(await selectTermStat(app.deps.db, uploaded))
  },
)

test('the indexes are there again', async () => {
  const names = (await dropIndexes(app.deps.db)).map((definition) => /INDEX (\w+)/.exec(definition)?.[1])
  expect(names.sort()).toEqual(['chunk_id', 'chunk_terms', 'term_stat_end', 'term_stat_start'])
})
