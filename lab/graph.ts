// How good and how fast the extractor is: entities and relation pairs against a folder of gold annotations
// (corpus.jsonl, gold.jsonl as in Re-DocRED). Usage: tsx lab/graph.ts FOLDER [--errors]

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractGraph } from '../src/graph/extract/extract.ts'
import type { Extraction } from '../src/graph/extraction.ts'

interface Gold {
  id: string
  entities: { name: string; aliases: string[]; type: string }[]
  triples: [number, string, number][]
}
interface Article {
  id: string
  title: string
  text: string
}

const read = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)

// Names only: dates and numbers are attributes, not entities.
const NAMED = new Set(['PER', 'ORG', 'LOC', 'MISC'])
const OURS: Readonly<Record<string, string>> = { person: 'PER', organization: 'ORG', location: 'LOC' }

const counts = {
  predicted: 0,
  predictedRight: 0,
  gold: 0,
  goldFound: 0,
  typed: 0,
  typedRight: 0,
  pairs: 0,
  pairsRight: 0,
  goldPairs: 0,
  cooccurring: 0,
  cooccurringRight: 0,
  bytes: 0,
}
const byType = new Map<string, [right: number, of: number]>()
const byRelation = new Map<string, [right: number, of: number]>()
const errors: string[] = []
const tally = (into: Map<string, [number, number]>, name: string, right: boolean): void => {
  const [was, of] = into.get(name) ?? [0, 0]
  into.set(name, [was + (right ? 1 : 0), of + 1])
}

// One name, whatever its case, article, possessive, dots and hyphens; synonyms of nameKey do not count.
const plain = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]s?\b/g, '')
    .replace(/^(?:the|an?) /, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function judge(article: Article, gold: Gold): void {
  const extraction = extractGraph({ title: article.title, language: 'en' }, [
    { chunk_no: 0, type: 'text', text: article.text, heading: '' },
  ])
  counts.bytes += Buffer.byteLength(article.text)
  judgeNames(article, gold, extraction)
  judgePairs(article, gold, extraction)
}

function judgeNames(article: Article, gold: Gold, extraction: Extraction): void {
  const goldNames = new Map<string, string>()
  const dates = new Set<string>()
  for (const { name, aliases, type } of gold.entities) {
    for (const each of [name, ...aliases])
      NAMED.has(type) ? goldNames.set(plain(each), type) : dates.add(plain(each))
  }
  const ours = new Map<string, string>()
  for (const mention of extraction.mentions)
    if (mention.type !== 'concept') ours.set(plain(mention.surface), mention.type)
  for (const [name, type] of ours) {
    counts.predicted++
    const goldType = goldNames.get(name)
    if (goldType === undefined) {
      errors.push(`${article.id} + ${name} (${type})`)
      continue
    }
    counts.predictedRight++
    const right = (OURS[type] ?? 'MISC') === goldType
    if (!right) errors.push(`${article.id} ~ ${name}: ${type}, not ${goldType}`)
    counts.typed++
    if (right) counts.typedRight++
    tally(byType, goldType, right)
  }
  for (const [name, type] of goldNames) {
    counts.gold++
    if (ours.has(name)) counts.goldFound++
    else errors.push(`${article.id} - ${name} [${type}]`)
  }
}

function judgePairs(article: Article, gold: Gold, extraction: Extraction): void {
  const goldOf = new Map<string, Set<number>>()
  for (const [i, { name, aliases }] of gold.entities.entries()) {
    for (const each of [name, ...aliases])
      goldOf.set(plain(each), (goldOf.get(plain(each)) ?? new Set()).add(i))
  }
  const surfaces = new Map<string, Set<string>>()
  for (const { key, surface } of extraction.mentions)
    surfaces.set(key, (surfaces.get(key) ?? new Set()).add(plain(surface)))
  const ends = (key: string): number[] =>
    [...(surfaces.get(key) ?? [])].flatMap((name) => [...(goldOf.get(name) ?? [])])
  const linked = new Set(gold.triples.map(([head, , tail]) => [head, tail].sort((a, b) => a - b).join('-')))
  counts.goldPairs += linked.size
  const seen = new Set<string>()
  for (const { head, type, tail, start, end } of extraction.relations) {
    const heads = ends(head)
    const tails = ends(tail)
    const name = `${head}|${tail}|${type === 'related_to'}`
    if (seen.has(name) || heads.length === 0 || tails.length === 0) continue
    seen.add(name)
    const right = heads.some((h) => tails.some((t) => linked.has([h, t].sort((a, b) => a - b).join('-'))))
    tally(byRelation, type, right)
    if (type === 'related_to') {
      counts.cooccurring++
      if (right) counts.cooccurringRight++
      continue
    }
    counts.pairs++
    if (right) counts.pairsRight++
    else errors.push(`${article.id} ! ${head} -${type}-> ${tail}: ${article.text.slice(start, end)}`)
  }
}

const folder = process.argv[2]
if (!folder) throw new Error('usage: tsx lab/graph.ts FOLDER [--errors]')
const golds = new Map(read<Gold>(join(folder, 'gold.jsonl')).map((gold) => [gold.id, gold]))
const articles = read<Article>(join(folder, 'corpus.jsonl'))
for (const article of articles) {
  const gold = golds.get(article.id)
  if (gold) judge(article, gold)
}
if (process.argv.includes('--errors')) for (const error of errors) console.log(error)
const share = (part: number, whole: number): string => (whole ? (part / whole).toFixed(3) : '-')
const precision = counts.predictedRight / counts.predicted
const recall = counts.goldFound / counts.gold
console.log(
  `entities P ${precision.toFixed(3)} R ${recall.toFixed(3)} F1 ${((2 * precision * recall) / (precision + recall)).toFixed(3)} (${counts.predicted} found, ${counts.gold} gold names)`,
)
console.log(
  `types ${share(counts.typedRight, counts.typed)}: ${[...byType].map(([type, [right, of]]) => `${type} ${share(right, of)} of ${of}`).join(', ')}`,
)
console.log(
  `relation pairs P ${share(counts.pairsRight, counts.pairs)} (${counts.pairs}), share of gold ${share(counts.pairsRight, counts.goldPairs)} (${counts.goldPairs}); related_to P ${share(counts.cooccurringRight, counts.cooccurring)} (${counts.cooccurring})`,
)
console.log(
  [...byRelation]
    .sort((a, b) => b[1][1] - a[1][1])
    .map(([type, [right, of]]) => `${type} ${right}/${of}`)
    .join(', '),
)

// All articles as the chunks of one document, the best of five runs: the first ones pay for compiling.
const long = articles.map(({ text }, chunk_no) => ({ chunk_no, type: 'text' as const, text, heading: '' }))
const runs = Array.from({ length: 5 }, () => {
  const begun = performance.now()
  extractGraph({ title: 'all', language: 'en' }, long)
  return (performance.now() - begun) / 1000
})
console.log(`speed ${(counts.bytes / 1e6 / Math.min(...runs)).toFixed(2)} MB/s`)

// The mark is 800 chunks in 30 s: the articles again and again, as one document.
const many = Array.from({ length: 800 }, (_, chunk_no) => ({ ...long[chunk_no % long.length], chunk_no }))
const begun = performance.now()
extractGraph({ title: 'all', language: 'en' }, many as typeof long)
console.log(`800 chunks in ${((performance.now() - begun) / 1000).toFixed(2)} s`)
