// Explains a failure of a model's server to the administrator who entered it: which field is wrong, and what to do.

import type { ModelPart, ModelProblem } from '../contract/models.ts'
import { refusalOf } from '../ports/llm/refusal.ts'
import type { OutboundFailed } from '../ports/outbound/outbound.ts'

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** Advice for statuses whose meaning does not depend on the request. */
const ADVICE_BY_STATUS: Readonly<Record<number, { field: ModelProblem['field']; advice: string }>> = {
  401: { field: 'key', advice: 'Copy the whole key from the provider and enter it again.' },
  403: {
    field: 'key',
    advice: 'Use a key that may use this model, or allow it where the key was made.',
  },
  402: { field: null, advice: 'Top it up at the provider, then try again.' },
  429: { field: null, advice: 'It is busy, or your limit there is used up: wait a minute, then try again.' },
}

const UNREACHABLE =
  'Check the address, and that the server is running and lets this machine in. Inside a container, “localhost” is the container itself.'

export function problemOf(error: OutboundFailed, part: ModelPart = 'language'): ModelProblem {
  const { field, advice } = adviceFor(error, part)
  return { field, message: `${sentence(error.message)} ${advice}` }
}

/**
 * As `problemOf`, but uses the server's list of models to find out whether the name of the model or the address is wrong.
 * @param names the models that the server has; empty if it has no list
 */
export async function problemWith(
  error: OutboundFailed,
  { part, model, names }: { part: ModelPart; model: string; names: () => Promise<readonly string[]> },
): Promise<ModelProblem> {
  const problem = problemOf(error, part)
  if (problem.field !== 'url' || error.status === undefined) return problem
  const available = await names()
  if (available.length === 0) return problem
  if (available.some((name) => isSameModel(name, model)))
    return { field: null, message: `${error.message}, in every form that Kenning tried. Look at its log.` }
  return { field: 'model', message: unknownModelMessage(model, available) }
}

function unknownModelMessage(model: string, available: readonly string[]): string {
  const [first = ''] = closestFirst(model, available)
  const list = available.length > 3 ? `, such as ${first}` : ` (${available.join(', ')})`
  return `The server has no model “${model}”. Choose one of its list${list}.`
}

/** The names sorted by how many first letters they share with the model. */
const closestFirst = (model: string, available: readonly string[]): string[] =>
  [...available].sort((a, b) => commonPrefixLength(b, model) - commonPrefixLength(a, model))

function commonPrefixLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length]?.toLowerCase() === b[length]?.toLowerCase()) length++
  return length
}

/** Ollama accepts names without `:latest`, and Gemini without `models/`. */
export const isSameModel = (a: string, b: string): boolean => plainName(a) === plainName(b)
const plainName = (name: string): string => name.replace(/^models\//, '').replace(/:latest$/, '')

function adviceFor(error: OutboundFailed, part: ModelPart): { field: ModelProblem['field']; advice: string } {
  const { status } = error
  if (status === undefined) return { field: 'url', advice: UNREACHABLE }
  const statusAdvice = ADVICE_BY_STATUS[status]
  if (statusAdvice) return statusAdvice
  if (status >= 500) return { field: null, advice: 'The server has a problem of its own: look at its log.' }
  if (refusalOf(error)?.kind === 'context') return { field: null, advice: RAISE_CONTEXT }
  return { field: 'url', advice: WRONG_PATH[part] }
}

const OPENAI_PATH =
  'Check the address: most servers want /v1 at its end, and none of them what comes after it, such as /models.'

const WRONG_PATH: Readonly<Record<ModelPart, string>> = {
  language: OPENAI_PATH,
  embeddings: OPENAI_PATH,
  reranker:
    'Check the address, to which Kenning adds /rerank (Cohere: https://api.cohere.com/v2; Jina: https://api.jina.ai/v1), and the model: Text Embeddings Inference takes none, the others need one.',
  ocr: 'Check the address: pages are sent to exactly this one, in the form of docs/text-recognition.md.',
}

export const RAISE_CONTEXT =
  'Raise its context where it is started (Ollama: OLLAMA_CONTEXT_LENGTH=16384; llama.cpp: --ctx-size 16384; LM Studio: the context length of the model; vLLM: --max-model-len), then try again.'
