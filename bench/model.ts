// Answers with a language model: what the service adds to the time of the model's server, and how much it sends there. The server
// is a script with the pace of a hosted model (bench/model/server.ts); `--data DIR` is a set, `--sample N` asks N questions.

import { openAsker, type TimedAnswer } from '../src/eval/answers/ask.ts'
import { makeClient } from '../src/eval/target/client.ts'
import { progressOn } from '../src/progress-bar.ts'
import { openService } from './answers/filled.ts'
import { readAnswerSet, sampled } from './answers/sets.ts'
import { type PacedServer, type Served, startPacedServer } from './model/server.ts'
import { type BenchOptions, median, quantile, table } from './report.ts'

const WARM_UP = 3
const ASKED = 40

interface Asked {
  started: number
  answer: TimedAnswer
  served: Served[]
}

export async function benchModel({
  data = 'bench/data/small',
  sample = ASKED,
  resume,
}: BenchOptions): Promise<string> {
  const set = await readAnswerSet(data)
  const server = await startPacedServer()
  const settings = { KENNING_LLM_URL: server.url, KENNING_LLM_MODEL: 'paced' }
  const folder = resume && `${resume}/service-model-${set.name}`
  const { service, workspaceId, names } = await openService(set, folder, progressOn(process.stderr), settings)
  try {
    const ask = openAsker({ client: makeClient(service.base, service.token), id: workspaceId, names })
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

function sectionOf(name: string, results: readonly Asked[]): string {
  const of = (figure: (one: Asked) => number): number[] => results.map(figure)
  const own = ({ served }: Asked): number => sum(served.map(({ from, to }) => to - from))
  const end = ({ started, answer }: Asked): number => started + answer.ms
  const rows: [string, number[]][] = [
    ['first step', of(({ answer }) => answer.firstStepMs)],
    [
      'until the first request is at the server',
      of(({ started, served }) => (served[0]?.from ?? 0) - started),
    ],
    [
      'between two requests: the tools that were called',
      results.flatMap(({ served }) => served.slice(1).map(({ from }, i) => from - (served[i]?.to ?? from))),
    ],
    ['from the last token to the answer', of((one) => end(one) - (one.served.at(-1)?.to ?? 0))],
    ['answer', of(({ answer }) => answer.ms)],
    ["of it the server's own", of(own)],
    ['what the service adds', of((one) => one.answer.ms - own(one))],
  ]
  const count = (figure: (served: Served) => number): number =>
    median(of(({ served }) => sum(served.map(figure))))
  const [prompt, cached, answer] = [
    count((one) => one.prompt),
    count((one) => one.cached),
    count((one) => one.answer),
  ]
  const share = (figure: number): string => `${Math.round((100 * figure) / prompt)} %`
  const cited = results.filter(({ answer: { citations } }) => citations.length > 0).length
  return `## Answers with a language model (embedded, a scripted server with the pace of a hosted one)

${table(
  ['what', 'p50', 'p99'],
  rows.map(([what, ms]) => [what, `${median(ms).toFixed(0)} ms`, `${quantile(ms, 0.99).toFixed(0)} ms`]),
)}

${name}, ${results.length} questions, ${cited} of them answered with citations. An answer takes ${median(of(({ served }) => served.length))} requests, ${prompt} tokens of prompt (four characters each), ${cached} of them (${share(cached)}) at the beginning of a prompt that the server has seen, and ${answer} tokens of the model. The script: two searches at once, reading on, an answer from three passages. The server needs 250 ms, .06 ms for each token of a prompt that it has not seen, 10 ms for each of its own, and keeps beginnings by OpenAI's rule.`
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
