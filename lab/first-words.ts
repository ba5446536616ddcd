// How soon the first words of an answer are shown: from the moment when the last character of the model's first sentence has left its
// server to the moment when a client has the `step` event with that sentence. The model pauses after each sentence, so a service
// that waits for the next one is seen to wait.

import { openClient } from '../src/eval/target/client.ts'
import { progressOn } from '../src/progress-bar.ts'
import { openService } from './answers/filled.ts'
import { readAnswerSet } from './answers/sets.ts'
import { type PacedServer, startPacedServer } from './model/server.ts'
import { type BenchOptions, quantile, table } from './report.ts'

const WARM_UP = 3
const ANSWERS = 50
const PAUSE_MS = 1000

/** How the model writes. Behind a marker that follows the full stop another one may come, so only the next word ends the sentence. */
const STYLES = [
  { name: '“… in 2019 [1].”, then a pause of one second', style: { pauseMs: PAUSE_MS, marker: 'before' } },
  { name: '“… in 2019. [1]”, then a pause of one second', style: { pauseMs: PAUSE_MS, marker: 'behind' } },
  { name: '“… in 2019. [1]”, then at once the next sentence', style: { pauseMs: 0, marker: 'behind' } },
] as const

export async function benchFirstWords({
  data = 'test/data/small',
  sample = ANSWERS,
}: BenchOptions): Promise<string> {
  const set = await readAnswerSet(data)
  const server = await startPacedServer()
  const settings = { KENNING_LLM_URL: server.url, KENNING_LLM_MODEL: 'paced' }
  const { service, workspaceId } = await openService(set, undefined, progressOn(process.stderr), settings)
  try {
    const client = openClient(service.base, service.token)
    const rows: string[][] = []
    for (const { name, style } of STYLES) {
      server.style = style
      const delays: number[] = []
      let withoutWords = 0
      for (let i = 0; i < WARM_UP + sample; i++) {
        // A set with fewer questions is asked again: each answer is of a conversation of its own.
        const question = set.questions[i % set.questions.length]?.text ?? ''
        const events = client.askEvents({ workspace_id: workspaceId, question })
        const delay = await delayOf(server, events)
        if (i < WARM_UP) continue
        if (delay === undefined) withoutWords++
        else delays.push(delay)
      }
      const ms = (share: number): string => `${quantile(delays, share).toFixed(0)} ms`
      rows.push([name, `${delays.length}`, ms(0.5), ms(0.95), ms(1), `${withoutWords}`])
    }
    return `## The first words of an answer (embedded, a scripted server)

${table(['the model writes', 'answers', 'median', 'p95', 'longest', 'shown only as a whole'], rows)}

From the last character of the model's first sentence, as its server sends it, to the \`step\` event with the sentence at the client. ${set.name}; answers of three sentences, a token of four characters each 10 ms. “Shown only as a whole”: no sentence of the answer became a step, since none was verified before its end.`
  } finally {
    await service.stop()
    await server.close()
  }
}

type Events = ReturnType<ReturnType<typeof openClient>['askEvents']>

/** Undefined if the answer came without a step that shows words of it. */
async function delayOf(server: PacedServer, events: Events): Promise<number | undefined> {
  let shown: number | undefined
  for await (const { event, data } of events)
    if (event === 'step' && data.text !== undefined) shown ??= performance.now()
  const written = server.served.at(-1)?.firstSentence
  return shown === undefined || written === undefined ? undefined : shown - written
}
