// `npm run bench -- [answers] [checking] [start] [ingest] [indexing] [quality] [speed] [overhead] [fidelity] [ocr] [meaning] [memory] [model] [first-words] [tables] [text] [themes] [token] [canvas] [mcp]
// [console] [unseen] [npx] [load] [import] [beside] [citus] [--seconds N] [--data DIR] [--sizes 10k,100k,1m] [--sample N] [--chunks 50k] [--resume DIR] [--anchors] [--all] [--only uploads,pdf] [--against DIR] [--load N] [--times N] [--together N]`:
// runs the named benches (all without a name) and writes their part of lab/RESULTS.md. Without --data each uses what
// the project ships or generates; speed and overhead use the PostgreSQL of DATABASE_URL where that is set.

import { parseArgs } from 'node:util'
import { benchAnswers } from './answers.ts'
import { benchBeside } from './beside.ts'
import { benchCanvas } from './canvas.ts'
import { benchChecking } from './checking.ts'
import { benchCitus } from './citus.ts'
import { benchConsole } from './console.ts'
import { benchFidelity } from './fidelity.ts'
import { benchFirstWords } from './first-words.ts'
import { benchImport } from './import.ts'
import { benchIndexing } from './indexing.ts'
import { benchIngest } from './ingest.ts'
import { benchLoad } from './load.ts'
import { benchMcp } from './mcp.ts'
import { benchMeaning } from './meaning.ts'
import { benchMemory } from './memory.ts'
import { benchModel } from './model.ts'
import { benchNpx } from './npx.ts'
import { benchOcr } from './ocr.ts'
import { benchOverhead } from './overhead.ts'
import { benchQuality } from './quality.ts'
import { writeSection } from './report.ts'
import { benchSpeed } from './speed.ts'
import { benchStart } from './start.ts'
import { benchTables } from './tables.ts'
import { benchText } from './text.ts'
import { benchThemes } from './themes.ts'
import { benchToken } from './token.ts'
import { benchUnseen } from './unseen.ts'

const benches = {
  answers: benchAnswers,
  start: benchStart,
  ingest: benchIngest,
  indexing: benchIndexing,
  quality: benchQuality,
  speed: benchSpeed,
  overhead: benchOverhead,
  fidelity: benchFidelity,
  ocr: benchOcr,
  meaning: benchMeaning,
  memory: benchMemory,
  load: benchLoad,
  import: benchImport,
  beside: benchBeside,
  model: benchModel,
  'first-words': benchFirstWords,
  tables: benchTables,
  text: benchText,
  themes: benchThemes,
  token: benchToken,
  canvas: benchCanvas,
  checking: benchChecking,
  mcp: benchMcp,
  citus: benchCitus,
  console: benchConsole,
  unseen: benchUnseen,
  npx: benchNpx,
}
type Name = keyof typeof benches
// Their figures differ by database, so each has a part of its own.
const BY_DATABASE: Name[] = ['speed', 'overhead', 'token', 'indexing', 'load']
// Need a set that cannot be shipped, a Chromium, a registry, or a Citus; or a machine that nobody else uses (load).
const ONLY_NAMED: Name[] = [
  'tables',
  'meaning',
  'text',
  'themes',
  'unseen',
  'canvas',
  'console',
  'npx',
  'load',
  'import',
  'beside',
  'citus',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: 'string' },
    runs: { type: 'string', default: '3' },
    sizes: { type: 'string', default: '10k' },
    anchors: { type: 'boolean', default: false },
    sample: { type: 'string' },
    chunks: { type: 'string' },
    resume: { type: 'string' },
    all: { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string' },
    against: { type: 'string' },
    load: { type: 'string' },
    times: { type: 'string' },
    together: { type: 'string' },
  },
})
const named = positionals.filter((name): name is Name => name in benches)
if (named.length < positionals.length) throw new Error(`benches: ${Object.keys(benches).join(', ')}`)

/** `10k` → 10,000 */
function sizeOf(text: string): number {
  const [, digits, unit] = /^(\d+)(k|m)?$/i.exec(text.trim()) ?? []
  if (digits === undefined) throw new Error(`--sizes: ${text} is no size; write 10k,100k,1m`)
  return Number(digits) * (unit?.toLowerCase() === 'm' ? 1e6 : unit ? 1e3 : 1)
}

const databaseUrl = process.env.DATABASE_URL || undefined
const options = {
  data: values.data,
  runs: Number(values.runs),
  sizes: values.sizes.split(',').map(sizeOf),
  anchors: values.anchors,
  all: values.all,
  databaseUrl,
  sample: values.sample === undefined ? undefined : Number(values.sample),
  chunks: values.chunks === undefined ? undefined : sizeOf(values.chunks),
  resume: values.resume,
  only: values.only?.split(','),
  seconds: values.seconds === undefined ? undefined : Number(values.seconds),
  against: values.against,
  load: values.load === undefined ? undefined : Number(values.load),
  times: values.times === undefined ? undefined : Number(values.times),
  together: values.together === undefined ? undefined : Number(values.together),
}
/** Where in RESULTS.md a bench writes. */
function partOf(name: Name): string {
  if (databaseUrl && BY_DATABASE.includes(name)) return `${name}-postgres`
  if (name === 'unseen' && options.only) return 'unseen-languages'
  if (name === 'start' && options.load !== undefined) return 'start-load'
  if (name === 'memory' && options.only) return `memory-${options.only.join('-')}`
  return name === 'answers' && options.chunks !== undefined ? 'answers-time' : name
}
const usual = (Object.keys(benches) as Name[]).filter((name) => !ONLY_NAMED.includes(name))
for (const name of named.length ? named : usual) {
  const section = await benches[name](options)
  await writeSection(partOf(name), section)
  process.stdout.write(`${section}\n`)
}
