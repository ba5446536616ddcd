// Load that does not wait for answers: `npm run bench -- load [--only L-01,L-06] [--sizes 10k] [--seconds 30] [--data DIR]
// [--resume DIR]`, on the embedded engine, or on PostgreSQL where DATABASE_URL is set. On this machine only; each load ends by
// itself. --resume keeps what was filled, and takes up what `speed` has kept; what a load uploads stays there.

import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from '../src/eval/target/client.ts'
import { freePort } from '../test/support/service.ts'
import { type Figures, figuresOf, recoveryOf } from './load/figures.ts'
import { arrivalsOf, type Outcome, openLoop } from './load/open-loop.ts'
import { openSender, openSlowConnections, type Sender, type Sending } from './load/requests.ts'
import { ELSEWHERE, type Kind, SCENARIOS, type Scenario, type Stage } from './load/scenarios.ts'
import { startSlowModel } from './load/slow-model.ts'
import { faultsOf, type Listed, walkList } from './load/walk.ts'
import { type BenchOptions, median, table } from './report.ts'
import { openCorpus, PARAGRAPH_WORDS } from './speed/corpus.ts'
import { type Filled, fill, keptFolder, withDatabase } from './speed/fill.ts'

const SECONDS = 30
const SEED = 20261127
const MODEL_MS = 30_000
const WARM_UP = 40
// Twice the usual: what a second of an overload's end is held against.
const NORMAL_TIMES = 2
const WALKED_AT_ONCE = 5
const PARAGRAPHS_A_MEGABYTE = 700

interface Row {
  scenario: Scenario
  stage: Stage
  kind: Kind
  figures: Figures
  /** Of the API's event loop meanwhile, in milliseconds. */
  loop: { p99: number; most: number }
  notes: string[]
}

interface Target {
  sender: Sender
  sendings: Record<Kind, (no: number) => Sending>
  base: string
  metrics: string
  /** The page of the list of documents at a cursor. */
  list: (cursor: string | null) => Promise<Listed>
  /** Whether all that was uploaded is in the graph and found by meaning. */
  isReady: () => Promise<boolean>
}

// What a load has uploaded is not to be part of the next one. Ten megabytes took an embedded engine three minutes.
const READY_MS = 400_000
// Slow connections are looked at for longer than the 20 s that the head of a request may take.
const SLOW_MS = 35_000

export async function benchLoad({
  sizes,
  seconds = SECONDS,
  only,
  databaseUrl,
  data,
  resume,
}: BenchOptions): Promise<string> {
  const size = sizes[0] ?? 10_000
  const folder = keptFolder(resume, size, databaseUrl)
  const chosen = SCENARIOS.filter(({ id }) => only === undefined || only.includes(id))
  const model = await startSlowModel(MODEL_MS)
  try {
    return await withDatabase(
      databaseUrl,
      async (url) => {
        const port = await freePort()
        const settings = {
          KENNING_METRICS_PORT: String(port),
          KENNING_LLM_URL: model.url,
          KENNING_LLM_MODEL: 'slow',
          KENNING_ASK_PER_HOUR: '100000',
        }
        const filled = await fill(size, { data, databaseUrl: url, folder, settings })
        try {
          const target = await targetOf(filled, `http://127.0.0.1:${port}/metrics`, data)
          // What runs before have left to do in a folder that stays is not part of the first load.
          await waitUntil(target.isReady, READY_MS)
          await openLoop(arrivalsOf(SEED, WARM_UP, 5), (no) => target.sender.send(target.sendings.search(no)))
          const rows: Row[] = []
          for (const scenario of chosen) {
            rows.push(...(await runScenario(scenario, target, seconds)))
            if (scenario !== chosen.at(-1)) await waitUntil(target.isReady, READY_MS)
          }
          target.sender.close()
          if (folder !== undefined)
            process.stderr.write(
              `what was uploaded stays in ${folder}, and counts in a later \`speed --resume\` too\n`,
            )
          return sectionOf(rows, filled, { seconds, isServer: url !== undefined })
        } finally {
          await filled.service.stop()
        }
      },
      folder,
    )
  } finally {
    await model.close()
  }
}

async function targetOf(
  { service, workspaces }: Filled,
  metrics: string,
  data: string | undefined,
): Promise<Target> {
  const [largest] = workspaces
  if (!largest) throw new Error('nothing was filled')
  const at = `/workspaces/${largest.id}`
  const queryOf = (no: number): string => largest.items[no % largest.items.length]?.query ?? 'report'
  const reads = ['documents?limit=50', 'entities?limit=50', 'themes']
  // Only as many as are different; the text of each upload is its own by its first line.
  const makeDoc = await openCorpus({ data, words: PARAGRAPH_WORDS })
  const text = Array.from({ length: PARAGRAPHS_A_MEGABYTE / 50 }, (_, no) => makeDoc(900_000 + no).text).join(
    '\n\n',
  )
  const client = openClient(service.base, service.token)
  return {
    base: service.base,
    metrics,
    list: (cursor) => client.listDocuments({ workspace_id: largest.id, limit: WALKED_AT_ONCE, cursor }),
    isReady: async () => (await client.getWorkspace({ workspace_id: largest.id })).ready,
    sender: openSender(service.base, () => service.token(false)),
    sendings: {
      search: (no) => ({ method: 'POST', path: `${at}/search`, body: { query: queryOf(no), limit: 10 } }),
      read: (no) => ({ method: 'GET', path: `${at}/${reads[no % reads.length]}` }),
      ask: (no) => ({
        method: 'POST',
        path: `${at}/ask`,
        body: { question: `What is said of ${queryOf(no)}?`, stream: true },
        endsWith: 'answer',
      }),
      upload: (no) => ({
        method: 'POST',
        path: `${at}/files`,
        file: { name: `load-${process.pid}-${no}.md`, text: `# Load ${process.pid} ${no}\n\n${text}` },
      }),
    },
  }
}

async function waitUntil(condition: () => Promise<boolean>, mostMs: number): Promise<void> {
  const end = performance.now() + mostMs
  while (!(await condition()) && performance.now() < end) await sleep(500)
}

async function runScenario(scenario: Scenario, target: Target, seconds: number): Promise<Row[]> {
  const rows: Row[] = []
  const outcomes = new Map<string, Outcome[]>()
  for (const [stageNo, stage] of scenario.stages.entries()) {
    process.stderr.write(`${scenario.id} ${stage.name}\n`)
    const time = stage.share * seconds
    const slow = stage.slowConnections ? openSlowConnections(target.base, stage.slowConnections) : undefined
    await loopDelay(target.metrics) // counted anew from here on
    let isOver = false
    const walking = stage.walks && walkUntil(target.list, () => isOver)
    const kinds = Object.entries(stage.perSecond) as [Kind, number][]
    const done = await Promise.all(
      kinds.map(async ([kind, perSecond], no) => {
        const arrivals = arrivalsOf(SEED + 10 * stageNo + no, perSecond, time)
        return { kind, all: await openLoop(arrivals, (at) => target.sender.send(target.sendings[kind](at))) }
      }),
    )
    const loop = await loopDelay(target.metrics)
    const notes: string[] = []
    isOver = true
    if (walking) notes.push(await walking)
    if (slow) {
      await waitUntil(async () => slow.state().open === 0, SLOW_MS)
      const { open, closedAfter } = slow.state()
      notes.push(
        `slow connections: ${open} still open, the last of the others closed after ${closedAfter.toFixed(0)} s`,
      )
      slow.close()
    }
    for (const { kind, all } of done) {
      outcomes.set(`${stage.name} ${kind}`, all)
      rows.push({ scenario, stage, kind, figures: figuresOf(all, time), loop, notes })
    }
  }
  const [before, after] = [outcomes.get('before search'), outcomes.get('after search')]
  if (before && after) {
    const normal = NORMAL_TIMES * figuresOf(before, 1).p99
    const recovery = recoveryOf(after, normal)
    rows
      .at(-1)
      ?.notes.push(
        recovery === undefined
          ? `not normal again (${normal.toFixed(0)} ms) within the time that was looked at`
          : `normal again (99 of 100 within ${normal.toFixed(0)} ms) after ${recovery} s`,
      )
  }
  return rows
}

/** At least twice; what is there at the beginning of a walk has to be in it. */
async function walkUntil(list: Target['list'], isOver: () => boolean): Promise<string> {
  let before = new Set((await walkList(list)).ids)
  const sum = { walks: 0, twice: 0, missing: 0 }
  const ratios: number[] = []
  do {
    const walk = await walkList(list)
    const { twice, missing } = faultsOf(walk, before)
    before = new Set(walk.ids)
    sum.walks++
    sum.twice += twice
    sum.missing += missing
    ratios.push((walk.pages.at(-1) ?? 0) / (walk.pages[0] ?? 1))
  } while (!isOver())
  return `${sum.walks} walks through up to ${before.size} documents: ${sum.twice} shown twice, ${sum.missing} left out; the last page took ${median(ratios).toFixed(1)} times the first (median)`
}

/** Since the last time it was asked. */
async function loopDelay(metrics: string): Promise<{ p99: number; most: number }> {
  const text = await (await fetch(metrics)).text()
  const of = (name: string): number =>
    1000 *
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:\\{.*\\})? (\\S+)`, 'm').exec(text)?.[1])
  return { p99: of('p99'), most: of('max') }
}

const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${value.toFixed(0)} ms`)

function sectionOf(
  rows: readonly Row[],
  { chunks }: Filled,
  { seconds, isServer }: { seconds: number; isServer: boolean },
): string {
  const header = [
    'load',
    'offered',
    'answered a second',
    'p50',
    'p90',
    'p99',
    'p99.9',
    'most',
    'refused (p99, without Retry-After)',
    'failed',
    'first of a stream, p99',
    'driver late, p99',
    'event loop p99, most',
  ]
  const lines = rows.map(({ scenario, stage, kind, figures, loop }) => [
    `${scenario.id} ${stage.name}: ${kind}`,
    figures.offered,
    figures.goodput.toFixed(1),
    ms(figures.p50),
    ms(figures.p90),
    ms(figures.p99),
    ms(figures.p999),
    ms(figures.most),
    figures.refused ? `${figures.refused} (${ms(figures.refusedP99)}, ${figures.withoutWhen})` : 0,
    figures.failed,
    figures.firstP99 === undefined ? '–' : ms(figures.firstP99),
    ms(figures.lateP99),
    `${ms(loop.p99)}, ${ms(loop.most)}`,
  ])
  const scenarios = [...new Set(rows.map(({ scenario }) => scenario))]
  const notes = rows.flatMap(({ scenario, stage, notes }) =>
    notes.map((note) => `${scenario.id} ${stage.name}: ${note}.`),
  )
  const wanted = scenarios.map(({ id, what, wanted }) => `- ${id}, ${what}: ${wanted}`)
  const elsewhere = Object.entries(ELSEWHERE).map(([id, where]) => `- ${id}, ${where}`)
  return `## Load (${isServer ? 'PostgreSQL' : 'embedded'}, open loop, ${chunks.toLocaleString('en')} chunks, ${seconds} s each)

Requests arrive by a Poisson process, whether or not those before were answered; latency is counted from the moment at which a request was to start. All come from one caller, of whose requests a process answers 64 at once. The driver shares the machine with the service.

${table(header, lines)}

${[...new Set(notes)].join(' ')}

Wanted, on two cores of its own with 100,000 chunks:
${[...wanted, ...elsewhere].join('\n')}`
}
