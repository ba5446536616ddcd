// A server with OpenAI's /chat/completions that takes as long as a real one: a time before the first token, which is shorter where
// the beginning of the prompt is known from a request before, and a time for each token. What it says is a script: two
// searches at once, reading on around a passage, an answer from the passages shown.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Of a hosted model of middle size.
const FIRST_TOKEN_MS = 250
const MS_A_PROMPT_TOKEN = 0.06
const MS_A_TOKEN = 10
// OpenAI's rule: the beginning of a prompt is kept in steps of 128 tokens from 1,024 on.
const MIN_KEPT = 1024
const STEP = 128
const CHARACTERS_A_TOKEN = 4

export interface Served {
  /** On the clock of `performance.now`: when the request was there, when its first token was sent, and its last byte. */
  from: number
  first: number
  to: number
  prompt: number
  /** Of these, at the beginning and known already. */
  cached: number
  answer: number
  /** When the last character of the first sentence of an answer was sent, with its marker; undefined for calls of tools. */
  firstSentence: number | undefined
}

/** @member pauseMs after each sentence. @member marker `2019. [1]` behind the full stop, or `2019 [1].` before it */
interface Style {
  pauseMs: number
  marker: 'behind' | 'before'
}

export interface PacedServer {
  url: string
  served: Served[]
  /** How the model writes the sentences of an answer; it may be changed between two answers. */
  style: Style
  close(): Promise<void>
}

interface Message {
  role: string
  content: string | null
}

interface Request {
  messages: Message[]
  tools?: unknown
}

type Said = { sentences: string[] } | { calls: { name: string; arguments: object }[] }

export async function startPacedServer(): Promise<PacedServer> {
  const served: Served[] = []
  const known = new Set<string>()
  const server = createServer((request, response) => {
    void serve(request, response, known, paced.style).then(
      (one) => served.push(one),
      () => response.destroy(),
    )
  })
  const paced: PacedServer = {
    url: '',
    served,
    style: { pauseMs: 0, marker: 'behind' },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  paced.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return paced
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  known: Set<string>,
  style: Style,
): Promise<Served> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece as Buffer)
  const from = performance.now()
  const request = JSON.parse(Buffer.concat(pieces).toString()) as Request
  const { prompt, cached } = readPrompt(request, known)
  const said = nextOf(request, style)
  const parts = 'sentences' in said ? said.sentences.join('') : JSON.stringify(said.calls)
  const answer = Math.ceil(parts.length / CHARACTERS_A_TOKEN)
  await sleep(FIRST_TOKEN_MS + MS_A_PROMPT_TOKEN * (prompt - cached))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const first = performance.now()
  const firstSentence = await say(response, said, style)
  const usage = { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer }
  const finish_reason = 'sentences' in said ? 'stop' : 'tool_calls'
  response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason }] }))
  response.write(frame({ choices: [], usage }))
  response.end('data: [DONE]\n\n')
  return { from, first, to: performance.now(), prompt, cached, answer, firstSentence }
}

/** How long the prompt is, and how much of its beginning is known. Tools come before messages, as in OpenAI's cache. */
function readPrompt({ tools, messages }: Request, known: Set<string>): Pick<Served, 'prompt' | 'cached'> {
  const text = `${JSON.stringify(tools)}${messages.map((message) => JSON.stringify(message)).join('\n')}`
  const prompt = Math.ceil(text.length / CHARACTERS_A_TOKEN)
  let cached = 0
  for (let tokens = MIN_KEPT; tokens <= prompt; tokens += STEP) {
    const beginning = text.slice(0, tokens * CHARACTERS_A_TOKEN)
    if (known.has(beginning)) cached = tokens
    known.add(beginning)
  }
  return { prompt, cached }
}

/** What the script says next, from how often the model has spoken since the question. */
function nextOf({ messages }: Request, { marker }: Style): Said {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const turn = messages.slice(asked).filter(({ role }) => role === 'assistant').length
  const question = /The question: ([\s\S]*)$/.exec(messages[asked]?.content ?? '')?.[1] ?? ''
  if (turn === 0) {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? ['nothing']
    const halves = [words.slice(0, Math.ceil(words.length / 2)), words.slice(Math.floor(words.length / 2))]
    return { calls: halves.map((half) => ({ name: 'search', arguments: { query: half.join(' ') } })) }
  }
  if (turn === 1) return { calls: [{ name: 'read_document', arguments: { passage: 1 } }] }
  const shown = messages.slice(asked).map(({ content }) => content ?? '')
  const quoted = [...shown.join('\n').matchAll(/^\[(\d+)\] (?!\().*\n(.+)/gm)].slice(0, 3)
  const sentences = quoted.map(([, number, text = '']) => {
    // The quoted line may be a title, which has no full stop.
    const sentence = (text.split(/(?<=[.!?])\s/)[0] ?? '').replace(/[.!?]$/, '')
    return marker === 'behind' ? `${sentence}. [${number}]` : `${sentence} [${number}].`
  })
  const paragraphs = sentences.map((sentence, i) => (i === 0 ? sentence : `\n\n${sentence}`))
  return { sentences: paragraphs.length > 0 ? paragraphs : ['The documents do not say it.'] }
}

/** Returns when the last character of the first sentence was sent. */
async function say(response: ServerResponse, said: Said, { pauseMs }: Style): Promise<number | undefined> {
  if ('sentences' in said) {
    let first: number | undefined
    for (const sentence of said.sentences) {
      if (first !== undefined && pauseMs > 0) await sleep(pauseMs)
      const tokens = [...sentence.matchAll(/[\s\S]{1,4}/gu)].map(([token]) => token)
      await paced(tokens, (content) => response.write(frame({ choices: [{ index: 0, delta: { content } }] })))
      first ??= performance.now()
    }
    return first
  }
  for (const [index, { name, arguments: given }] of said.calls.entries()) {
    const call = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }
    response.write(frame({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }))
    const tokens = [...JSON.stringify(given).matchAll(/[\s\S]{1,4}/gu)].map(([token]) => token)
    await paced(tokens, (piece) => {
      const tool_calls = [{ index, function: { arguments: piece } }]
      response.write(frame({ choices: [{ index: 0, delta: { tool_calls } }] }))
    })
  }
  return undefined
}

/** One token after the other at the server's pace: late ones are made up for, so that a busy machine changes no total. */
async function paced(tokens: readonly string[], send: (token: string) => void): Promise<void> {
  const from = performance.now()
  for (const [i, token] of tokens.entries()) {
    const wait = from + (i + 1) * MS_A_TOKEN - performance.now()
    if (wait > 0) await sleep(wait)
    send(token)
  }
}

const frame = (body: object): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...body })}\n\n`
