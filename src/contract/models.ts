// The language model as administrators set it. The routes stand beside /v1 (`/account/models`): only somebody who is signed in may
// decide where questions and passages are sent, and no program that acts for a person.

import { z } from 'zod'
import { text } from './fields.ts'

const serverUrl = z
  .string()
  .max(2000)
  .refine(
    isServerUrl,
    'This must be an address that begins with http:// or https://, without a password in it',
  )

function isServerUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return /^https?:$/.test(protocol) && !username && !password && !hash
}

/** Without `key` the stored one goes on, as long as the server stays the same; `null`: none. */
const key = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{1,4000}$/, 'A key is 1 to 4000 visible characters without spaces')
  .nullable()
  .optional()

/** A server that is asked for its models. */
export const ModelServer = z.object({ url: serverUrl, key })
export type ModelServer = z.infer<typeof ModelServer>

export const LanguageModelSet = ModelServer.extend({
  model: text(1, 200, { trim: true }),
  /** Tokens that the model takes with its answer. Without it the server is asked. */
  context_tokens: z.int().min(1000).max(100_000_000).nullable().optional(),
})
export type LanguageModelSet = z.infer<typeof LanguageModelSet>

export const MODEL_CHECKS = ['tools', 'context', 'structure'] as const
export const ModelCheck = z.enum(MODEL_CHECKS)
export type ModelCheck = z.infer<typeof ModelCheck>

/** Without a model: the one that serves. Without `check`: all, until one cannot reach the model. */
export const ModelTry = z.object({ model: LanguageModelSet.optional(), check: ModelCheck.optional() })
export type ModelTry = z.infer<typeof ModelTry>

/** The model that answers questions, without its key. */
export interface LanguageModel {
  /** `environment`: set where the service is started, which wins over what is set here. */
  source: 'environment' | 'settings' | 'none'
  url: string | null
  model: string | null
  context_tokens: number | null
  has_key: boolean
  set_at: string | null
  /** Why it cannot be used, and what to do. */
  problem: string | null
}

export interface ModelSettings {
  language: LanguageModel
}

/** The part of the form that a problem is about. */
type ModelField = 'url' | 'key' | 'model'

export interface ModelProblem {
  field: ModelField | null
  /** What is wrong, and what to do. */
  message: string
}

/** The models that a server says it has. */
export interface ServerModels {
  data: { id: string }[]
  problem: ModelProblem | null
}

/** A model server that answers at its usual port of the machine that Kenning runs on. It is offered, and not used unasked. */
export interface LocalServer {
  name: string
  url: string
}

export interface ModelFinding {
  check: 'answer' | 'tools' | 'context' | 'structure' | 'speed'
  /** `warning`: Kenning works with it, but less well. */
  outcome: 'ok' | 'warning' | 'problem'
  /** What was seen and, unless all is well, what to do. */
  message: string
  field: ModelField | null
}
