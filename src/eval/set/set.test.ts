import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readSet } from './set.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const good = {
  'corpus.jsonl': '{"id":"a","title":"Yard","text":"Boats."}\n{"id":"b c","text":"Ferries."}\n\n',
  'queries.jsonl': '{"id":"q1","text":"boats"}\n{"id":2,"text":"ferries"}\n{"id":"q3","text":"planes"}\n',
  'qrels.tsv': 'q1\ta\t2\nq1\tb c\t0\n2\tb c\t1\n',
}

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-set-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test('reads documents, queries and judgments; queries without an answer are counted and left out', async () => {
  const set = await readSet(folderWith(good), true)
  expect(set.documents).toEqual([
    { id: 'a', title: 'Yard', text: 'Boats.' },
    { id: 'b c', text: 'Ferries.' },
  ])
  expect(set.queries.map(({ id, grades }) => [id, Object.fromEntries(grades)])).toEqual([
    ['q1', { a: 2, 'b c': 0 }],
    ['2', { 'b c': 1 }],
  ])
  expect(set.unjudged).toBe(1)
})

test('reads the layouts of BEIR and TREC, a byte order mark and Windows line ends', async () => {
  const set = await readSet(
    folderWith({
      'corpus.jsonl': '\uFEFF{"_id":"a","text":"Boats."}\r\n',
      'queries.jsonl': '{"_id":"q1","text":"boats"}\r\n',
      'qrels.tsv': 'query-id\tcorpus-id\tscore\r\nq1\ta\t1\r\nq1 0 a 1\r\n',
    }),
    true,
  )
  expect(set.queries[0]?.grades.get('a')).toBe(1)
})

test('uses files as documents, with their paths as ids', async () => {
  const folder = folderWith({
    'files/contracts/lease.md': '# Lease',
    'files/.hidden': 'x',
    'queries.jsonl': '{"id":"q","text":"lease"}',
    'qrels.tsv': 'q\tcontracts/lease.md\t1',
  })
  expect((await readSet(folder, true)).documents).toEqual([
    { id: 'contracts/lease.md', path: join(folder, 'files/contracts/lease.md') },
  ])
})

test('evidence sentences come with their queries', async () => {
  const queries = '{"id":"q1","text":"boats","facts":["f"]}'
  const more = {
    'queries.jsonl': queries,
    'qrels.tsv': 'q1\ta\t1',
    'facts.jsonl': '{"id":"f","fact":"Boats."}',
  }
  expect((await readSet(folderWith({ ...good, ...more }), true)).queries[0]?.facts).toEqual(['Boats.'])
})

describe('errors name the file and the line', () => {
  const cases: [string, Record<string, string | undefined>, RegExp][] = [
    ['no corpus', { 'corpus.jsonl': undefined }, /neither corpus.jsonl nor a folder files\//],
    ['no queries', { 'queries.jsonl': undefined }, /has no queries.jsonl/],
    ['no judgments', { 'qrels.tsv': undefined }, /has no qrels.tsv/],
    ['an empty corpus', { 'corpus.jsonl': '\n' }, /corpus.jsonl has no document/],
    ['empty queries', { 'queries.jsonl': '' }, /queries.jsonl has no query/],
    ['empty judgments', { 'qrels.tsv': '' }, /names no relevant document/],
    [
      'broken JSON',
      { 'corpus.jsonl': '{"id":"a","text":"x"}\n{"id":' },
      /corpus.jsonl line 2 is not a JSON object/,
    ],
    ['an array', { 'corpus.jsonl': '[]' }, /corpus.jsonl line 1: must be a JSON object/],
    ['no id', { 'corpus.jsonl': '{"text":"x"}' }, /corpus.jsonl line 1: "id"/],
    ['no text', { 'corpus.jsonl': '{"id":"a"}' }, /line 1: "text" must be a string/],
    ['a blank document', { 'corpus.jsonl': '{"id":"a","text":" "}' }, /the document "a" has no text/],
    ['a document twice', { 'corpus.jsonl': '{"id":"a","text":"x"}\n{"id":"a","text":"y"}' }, /line 2.*twice/],
    ['a query twice', { 'queries.jsonl': '{"id":"q1","text":"x"}\n{"id":"q1","text":"y"}' }, /line 2.*twice/],
    ['a blank query', { 'queries.jsonl': '{"id":"q1","text":"  "}' }, /line 1: "text" must not be empty/],
    ['a query too long', { 'queries.jsonl': JSON.stringify({ id: 'q', text: 'x'.repeat(2001) }) }, /2,000/],
    ['an unknown query', { 'qrels.tsv': 'q9\ta\t1' }, /qrels.tsv line 1: queries.jsonl has no query "q9"/],
    ['an unknown document', { 'qrels.tsv': 'q1\ta\t1\nq1\tz\t1' }, /line 2: the set has no document "z"/],
    ['too few columns', { 'qrels.tsv': 'q1\ta' }, /line 1 must be a query id, a document id and a grade/],
    ['a grade that is not a number', { 'qrels.tsv': 'q1\ta\t1\nq1\tb c\thigh' }, /line 2: the grade "high"/],
    ['two grades', { 'qrels.tsv': 'q1\ta\t1\nq1\ta\t2' }, /line 2: "a" already has the grade 1/],
    ['an unknown fact', { 'queries.jsonl': '{"id":"q1","text":"x","facts":["f"]}' }, /no fact "f"/],
  ]
  test.each(cases)('%s', async (_, change, message) => {
    const files = Object.entries({ ...good, ...change }).filter(([, text]) => text !== undefined)
    await expect(
      readSet(folderWith(Object.fromEntries(files) as Record<string, string>), true),
    ).rejects.toThrow(message)
  })
})
