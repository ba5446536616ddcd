// Search speed by size, filter, clients and engine, beside what people would otherwise use: `npm run bench -- speed
// [--sizes 10k,100k,1m] [--anchors] [--data DIR] [--resume DIR]`, on the embedded engine, or on PostgreSQL where DATABASE_URL is set.

import { type BenchOptions, table } from './report.ts'
import { type Anchor, measureAnchors } from './speed/anchors.ts'
import { databaseBytes } from './speed/bare.sql.ts'
import {
  type Filled,
  type FillOptions,
  fill,
  keptFolder,
  MEASURED_SHARES,
  SHARES,
  withDatabase,
} from './speed/fill.ts'
import {
  databaseMemory,
  type Latency,
  measure,
  measureWhileIngesting,
  type WhileIngesting,
} from './speed/kenning.ts'
import { measureNarrow, type Narrow } from './speed/narrow.ts'

interface SizeResult {
  filled: Pick<Filled, 'chunks' | 'laterChunks' | 'loadSeconds' | 'isBulk' | 'words'>
  latencies: Latency[]
  narrow: Narrow[]
  ingesting: WhileIngesting
  memory: number
  disk: number
  anchors: Anchor[]
}

// A million chunks take some anchors hours.
const MAX_ANCHOR_CHUNKS = 200_000

export async function benchSpeed(options: BenchOptions): Promise<string> {
  const { data, sizes, anchors, databaseUrl, resume } = options
  const results: SizeResult[] = []
  for (const size of sizes) {
    const beside = anchors && size <= MAX_ANCHOR_CHUNKS
    const folder = keptFolder(resume, size, databaseUrl)
    results.push(
      await withDatabase(
        databaseUrl,
        (url) => benchSize(size, { data, databaseUrl: url, folder }, beside),
        folder,
      ),
    )
  }
  const where = databaseUrl === undefined ? 'embedded' : 'PostgreSQL'
  const text = data === undefined ? 'Zipf text' : 'sentences of real sets'
  return [`## Search speed (${where}, ${text}, no model)`, ...results.map(sectionOf), growth(results)]
    .filter(Boolean)
    .join('\n\n')
}

async function benchSize(size: number, options: FillOptions, beside: boolean): Promise<SizeResult> {
  const say = (text: string): boolean => process.stderr.write(`${text}\n`)
  say(`filling about ${size} chunks`)
  const filled = await fill(size, options)
  try {
    const latencies: Latency[] = []
    for (const share of MEASURED_SHARES) {
      say(`asking the workspace of ${percent(share)}`)
      latencies.push(await measure(filled, share))
    }
    const memory = databaseMemory(filled.service)
    const disk = Math.round((await databaseBytes(filled.service.deps.db)) / 2 ** 20)
    // The same chunks as before the writing below, in the same minutes.
    if (beside) say('measuring the engines beside')
    const anchors = beside ? await measureAnchors(filled) : []
    say('asking within scopes')
    const narrow = await measureNarrow(filled)
    say('asking while documents go in')
    const ingesting = await measureWhileIngesting(filled, options.data)
    return { filled, latencies, narrow, ingesting, memory, disk, anchors }
  } finally {
    await filled.service.stop()
  }
}

const ms = (value: number): string => value.toFixed(1)
const pair = (p50: number, p99: number): string => `${ms(p50)} / ${ms(p99)}`
const percent = (share: number): string => `${Math.round(share * 100)} %`

function sectionOf({ filled, latencies, narrow, ingesting, memory, disk, anchors }: SizeResult): string {
  const rate = Math.round((filled.chunks - filled.laterChunks) / filled.loadSeconds)
  const later = filled.laterChunks
    ? ` (${filled.laterChunks.toLocaleString('en')} of them written later, by runs on the same folder)`
    : ''
  const rows = latencies.map((row) => [
    `${percent(row.share)}: ${row.chunks.toLocaleString('en')} chunks`,
    pair(row.p50, row.p99),
    pair(row.bareP50, row.bareP99),
    (row.p50 / row.bareP50).toFixed(2),
    pair(row.wordsP50, row.wordsP99),
    (row.p50 / row.wordsP50).toFixed(2),
    row.statements.toFixed(1),
    row.kept ? `${row.kept.megabytes.toFixed(0)} MB after ${row.kept.seconds.toFixed(0)} s` : '',
    pair(row.p50At8, row.p99At8),
    Math.round(row.searchesPerSecond),
    `${percent(row.hits)} / ${percent(row.hitsByWords)}`,
    row.overlap.toFixed(3),
  ])
  const header = [
    'workspace',
    'search p50 / p99 ms',
    'two bare statements with what its order needs (a)',
    'ratio',
    'by words alone (b)',
    'ratio',
    'statements a search',
    'kept in memory',
    '8 clients p50 / p99 ms',
    'searches/s',
    'known item in 10 / by words alone',
    'overlap@10 with scan',
  ]
  return `### ${filled.chunks.toLocaleString('en')} chunks of ${filled.words} words${later}, filled in ${filled.loadSeconds.toFixed(0)} s (${rate} chunks/s, ${filled.isBulk ? 'rows written in bulk, vectors and indexes included' : 'files to searchable'})

${table(header, rows)}

(Bare statements, in turns with the search: (a) frequencies; then, in one statement, the same candidates, of the hundred best the score of their document, and texts and titles of the ten best by the plain sum. (b) Frequencies, and the ten best candidates by words: the order of another search, with worse answers on real sets.)

(A known item is asked for by words of a paragraph that was put together of sentences drawn by lot. Its document has no subject, so what search adds to words, the document's score and meaning, only leads away from it here; on real sets both add, see the quality parts.)

${narrowTable(narrow)}

While ${Math.round(ingesting.chunksPerSecond)} chunks/s are ingested beside: p50 / p99 ${pair(ingesting.p50, ingesting.p99)} ms. Database memory ${memory} MB, disk ${disk} MB.
${anchors.length ? `\n${anchorTable(anchors, latencies)}` : ''}`.trim()
}

function narrowTable(narrow: Narrow[]): string {
  const header = [
    'in the largest workspace, within',
    'search p50 / p99 ms',
    'the same without the filter',
    'as many as there are',
    'overlap@10 with scan within it',
  ]
  const rows = narrow.map((row) => [
    `${row.by} of ${percent(row.share)}: ${row.chunks.toLocaleString('en')} chunks`,
    pair(row.p50, row.p99),
    pair(row.openP50, row.openP99),
    percent(row.full),
    row.overlap.toFixed(3),
  ])
  return `${table(header, rows)}

(Scopes of documents picked by hand; entities named in one chunk of so many, all over the workspace.)`
}

/** The other engines on the same chunks: p50 / p99 of one client by workspace. */
function anchorTable(anchors: Anchor[], latencies: Latency[]): string {
  const header = [
    'beside, one client: p50 / p99 ms',
    ...latencies.map(({ share }) => percent(share)),
    `at 8 clients, ${percent(latencies[0]?.share ?? 0)}`,
    'known item in 10',
    'vector recall@10',
    'memory MB',
    'disk MB',
  ]
  const ours = [
    'Kenning, search',
    ...latencies.map((row) => pair(row.p50, row.p99)),
    `${Math.round(latencies[0]?.searchesPerSecond ?? 0)}/s`,
    percent(latencies[0]?.hits ?? 0),
    '',
    '',
    '',
  ]
  const rows = anchors.flatMap(({ name, measured }) => {
    if ('failed' in measured) return [[name, measured.failed, ...Array(header.length - 2).fill('')]]
    return (['lexical', 'vector', 'hybrid'] as const).map((mode) => {
      const modes = MEASURED_SHARES.map(
        (share) => measured.results.find(({ ws }) => ws === SHARES.indexOf(share))?.[mode],
      )
      return [
        `${name}, ${mode}`,
        ...modes.map((found) => (found ? pair(found.p50, found.p99) : '')),
        modes[0] ? `${Math.round(modes[0].perSecond)}/s` : '',
        modes[0] ? percent(modes[0].hits) : '',
        mode === 'vector' ? (modes[0]?.recall?.toFixed(3) ?? 'exact') : '',
        mode === 'lexical' ? measured.megabytes : '',
        mode === 'lexical' ? measured.disk : '',
      ]
    })
  })
  return table(header, [ours, ...rows])
}

function growth(results: SizeResult[]): string {
  const p50 = results.map(({ latencies, filled }) => ({ chunks: filled.chunks, ms: latencies[0]?.p50 ?? 0 }))
  const steps = p50.slice(1).map((row, i) => {
    const before = p50[i]
    if (!before) return ''
    const decades = Math.log10(row.chunks / before.chunks)
    return `${before.chunks.toLocaleString('en')} → ${row.chunks.toLocaleString('en')}: × ${((row.ms / before.ms) ** (1 / decades)).toFixed(2)} a decade`
  })
  return steps.length ? `Growth of p50 in the largest workspace: ${steps.join('; ')}.` : ''
}
