// What a server of the protocol takes beside messages. Servers refuse different fields: which, is found out by their
// refusals (400, 422 and the like) and remembered, so that a conversation and a question with one answer learn from each
// other.

import { OutboundFailed } from '../outbound/outbound.ts'

export interface Dialect {
  bound: 'max_tokens' | 'max_completion_tokens' | 'none'
  /** Temperature 0: reasoning models take none. */
  temperature: boolean
  /** What the turn cost, at the end of the stream. */
  usage: boolean
  tools: boolean
  /** The shape of the answer as `response_format`. */
  schema: boolean
}

type Field = 'bound' | 'usage' | 'tools' | 'schema'
/** One way to ask: the fields it says nothing of play no part in it. */
export type Way = Pick<Dialect, 'bound'> & Partial<Pick<Dialect, Field>>

// Most servers; OpenAI's reasoning models; Mistral, which takes neither stream_options nor max_completion_tokens
// (dnakov/anon-kode#53, editor-code-assistant/eca#231); models without tools (Ollama, vLLM without a tool parser); anything.
export const TURNS: readonly Way[] = [
  { bound: 'max_tokens', usage: true, tools: true },
  { bound: 'max_completion_tokens', usage: true, tools: true },
  { bound: 'max_tokens', usage: false, tools: true },
  { bound: 'max_tokens', usage: true, tools: false },
  { bound: 'none', usage: false, tools: false },
]

export const QUESTIONS: readonly Way[] = [
  { bound: 'max_tokens', schema: true },
  { bound: 'max_tokens', schema: false },
  { bound: 'max_completion_tokens', schema: true },
  { bound: 'max_completion_tokens', schema: false },
  { bound: 'none', schema: false },
]

const REFUSED = new Set([400, 404, 405, 415, 422, 501])
// A refusal for another reason (a gateway's 404) leaves a poorer form in use, but not until a restart.
const REMEMBERED_MS = 3_600_000

/** Asks in the first of the ways that the server takes. @throws what `ask` throws; the last refusal */
export type InDialect = <T>(ways: readonly Way[], ask: (dialect: Dialect) => Promise<T>) => Promise<T>

/** One memory of what a server takes. */
export function openDialects(): InDialect {
  let learned: { taken: Partial<Way>; since: number } = { taken: {}, since: Date.now() }
  return async (ways, ask) => {
    if (Date.now() - learned.since > REMEMBERED_MS) learned = { taken: {}, since: Date.now() }
    const { taken } = learned
    const agreeing = ways.filter((way) => agrees(way, taken))
    let refusal: unknown
    for (const way of [...agreeing, ...ways.filter((way) => !agreeing.includes(way))]) {
      try {
        const said = await ask(dialectOf(way))
        learned.taken = { ...learned.taken, ...way }
        return said
      } catch (error) {
        if (!isRefusal(error)) throw error
        refusal = error
      }
    }
    throw refusal
  }
}

const agrees = (way: Way, taken: Partial<Way>): boolean =>
  (['bound', 'usage', 'tools', 'schema'] as const).every(
    (field) => way[field] === undefined || taken[field] === undefined || way[field] === taken[field],
  )

const dialectOf = ({ bound, usage = false, tools = false, schema = false }: Way): Dialect => ({
  bound,
  temperature: bound === 'max_tokens',
  usage,
  tools,
  schema,
})

const isRefusal = (error: unknown): boolean =>
  error instanceof OutboundFailed && REFUSED.has(error.status ?? 0)

/** The fields of a request that the dialect decides. */
export const boundsOf = ({ bound, temperature }: Dialect, mostTokens: number): object => ({
  ...(temperature && { temperature: 0 }),
  ...(bound !== 'none' && { [bound]: mostTokens }),
})
