// Answers with a language model: what the service adds to the time of the model's server, and how much it sends there. The server
// is a script with the pace of a hosted model (lab/model/server.ts); `--data DIR` is a set, `--sample N` asks N questions.

import { openAsker, type TimedAnswer } from '../src/eval/answers/ask.ts'
import { openClient } from '../src/eval/target/client.ts'
import { progressOn } from '../src/progress-bar.ts'
import { openService } from './answers/filled.ts'
import { readAnswerSet, sampled } from './answers/sets.ts'
import { type PacedServer, type Served, startPacedServer } from './model/server.ts'
import { type BenchOptions, median, quantile, table } from './report.ts'

const WARM_UP = 3
const ASKED = 40
/** What the script has called before its second request, and before its third. */
const CALLED = ['two searches at once', 'reading on in a document']

interface Asked {
  started: number
  answer: TimedAnswer
  served: Served[]
}

export async function benchModel({
  data = 'test/data/small',
  sample = ASKED,
  resume,
}: BenchOptions): Promise<string> {
  const set = await readAnswerSet(data)
  const server = await startPacedServer()
  const settings = { KENNING_LLM_URL: server.url, KENNING_LLM_MODEL: 'paced' }
  const folder = resume && `${resume}/service-model-${set.name}`
  const { service, workspaceId, names } = await openService(set, folder, progressOn(process.stderr), settings)
  try {
    const ask = openAsker({ client: openClient(service.base, service.token), id: workspaceId, names })
    const results: Asked[] = []
    for (const [i, { text }] of sampled(set.questions, WARM_UP + sample).entries()) {
      const asked = await askOne(server, () => ask(text))
      if (i >= WARM_UP) results.push(asked)
    }
    return sectionOf(set.name, results)
  } finally {
    await service.stop()
    await server.close()
  }
}

async function askOne(server: PacedServer, ask: () => Promise<TimedAnswer>): Promise<Asked> {
  const before = server.served.length
  const started = performance.now()
  const answer = await ask()
  return { started, answer, served: server.served.slice(before) }
}

/** A moment of an answer, in milliseconds from the question on: as the service reaches it, and what the server has taken until then. */
interface Moment {
  what: string
  at: (one: Asked) => number
  server: (one: Asked) => number
}

const end = ({ started, answer }: Asked): number => started + answer.ms
const took = (served: readonly Served[]): number => sum(served.map(({ from, to }) => to - from))
const last = ({ served }: Asked): Served => {
  const one = served.at(-1)
  if (!one) throw new Error('an answer was given without the model')
  return one
}

const MOMENTS: Moment[] = [
  { what: 'the first step is shown', at: ({ answer }) => answer.firstStepMs, server: () => 0 },
  {
    what: "the model's first token",
    at: ({ started, served: [one] }) => (one?.first ?? started) - started,
    server: ({ served: [one] }) => (one ? one.first - one.from : 0),
  },
  {
    what: "the answer's first token, which the service keeps until the answer is checked",
    at: (one) => last(one).first - one.started,
    server: (one) => took(one.served.slice(0, -1)) + last(one).first - last(one).from,
  },
  { what: 'the answer is shown', at: ({ answer }) => answer.ms, server: ({ served }) => took(served) },
]

function sectionOf(name: string, results: readonly Asked[]): string {
  const of = (figure: (one: Asked) => number): number[] => results.map(figure)
  const both = (ms: number[]): string[] => [0.5, 0.99].map((share) => `${quantile(ms, share).toFixed(0)} ms`)
  const moments = MOMENTS.map(({ what, at, server }) => [
    what,
    ...both(of(at)),
    ...both(of(server)).slice(0, 1),
    ...both(of((one) => at(one) - server(one))),
  ])
  const counts = of(({ served }) => served.length)
  const [requests, most] = [Math.min(...counts), Math.max(...counts)]
  const gap = (before: number): number[] =>
    of(({ served }) => (served[before + 1]?.from ?? 0) - (served[before]?.to ?? 0))
  const own: [string, number[]][] = [
    [
      'before the first request: the search that begins',
      of(({ started, served }) => (served[0]?.from ?? 0) - started),
    ],
    ...Array.from({ length: requests - 1 }, (_, no): [string, number[]] => [
      `between requests ${no + 1} and ${no + 2}: ${CALLED[no] ?? 'what was called'}`,
      gap(no),
    ]),
    ['from the last token to the answer: citations checked', of((one) => end(one) - last(one).to)],
  ]
  const figure = (no: number, pick: (served: Served) => number): number =>
    median(of(({ served }) => pick(served[no] as Served)))
  const tokens = Array.from({ length: requests }, (_, no) => {
    const [prompt, cached] = [figure(no, (one) => one.prompt), figure(no, (one) => one.cached)]
    return [
      no + 1,
      prompt,
      `${cached} (${Math.round((100 * cached) / prompt)} %)`,
      figure(no, (one) => one.answer),
    ]
  })
  const whole = (pick: (served: Served) => number): number =>
    median(of(({ served }) => sum(served.map(pick))))
  const [prompt, cached] = [whole((one) => one.prompt), whole((one) => one.cached)]
  const cited = results.filter(({ answer: { citations } }) => citations.length > 0).length
  return `## Answers with a language model (embedded, a scripted server with the pace of a hosted one)

${table(['from the question until', 'p50', 'p99', "of it the server's own", 'what the service adds', 'p99'], moments)}

${table(
  ['what the service adds, one after the other', 'p50', 'p99'],
  own.map(([what, ms]) => [what, ...both(ms)]),
)}

${table(
  ['request', 'tokens of the prompt', 'of them known to the server', 'tokens of the model'],
  [
    ...tokens,
    ['all', prompt, `${cached} (${Math.round((100 * cached) / prompt)} %)`, whole((one) => one.answer)],
  ],
)}

${name}, ${results.length} questions, ${cited} of them answered with citations, ${most === requests ? most : `${requests} to ${most}`} requests an answer; a token is four characters. The script: two searches at once, reading on, an answer from three passages. The server needs 250 ms, .06 ms for each token of a prompt that it has not seen, 10 ms for each of its own, and keeps beginnings by OpenAI's rule.`
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
