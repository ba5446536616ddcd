// What a failure of a model's server means for whoever entered it: which field is wrong, and what to do.

import type { ModelProblem } from '../contract/models.ts'
import { refusalOf } from '../ports/llm/refusal.ts'
import type { OutboundFailed } from '../ports/outbound/outbound.ts'

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** What a status says by itself. The others depend on the form of the request. */
const BY_STATUS: Readonly<Record<number, { field: ModelProblem['field']; advice: string }>> = {
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

export function problemOf(error: OutboundFailed): ModelProblem {
  const { field, advice } = adviceFor(error)
  return { field, message: `${sentence(error.message)} ${advice}` }
}

function adviceFor(error: OutboundFailed): { field: ModelProblem['field']; advice: string } {
  const { status } = error
  if (status === undefined) return { field: 'url', advice: UNREACHABLE }
  const statusAdvice = BY_STATUS[status]
  if (statusAdvice) return statusAdvice
  if (status >= 500) return { field: null, advice: 'The server has a problem of its own: look at its log.' }
  if (refusalOf(error)?.kind === 'context') return { field: null, advice: RAISE_CONTEXT }
  return { field: 'url', advice: WRONG_PATH }
}

const WRONG_PATH =
  'Check the address: most servers want /v1 at its end, and none of them what comes after it, such as /models.'

export const RAISE_CONTEXT =
  'Raise its context where it is started (Ollama: OLLAMA_CONTEXT_LENGTH=16384; llama.cpp: --ctx-size 16384; LM Studio: the context length of the model; vLLM: --max-model-len), then try again.'
