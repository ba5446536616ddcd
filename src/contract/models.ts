// The models as administrators set them. The routes stand beside /v1 (`/account/models`): only somebody who is signed in may decide
// where questions and passages are sent, and no program that acts for a person.

import { z } from 'zod'
import { text } from './fields.ts'
import type { MODEL_PARTS } from './model-presets.ts'

/** What a server can do for Kenning. Each has a server of its own. */
export type ModelPart = (typeof MODEL_PARTS)[number]

const serverUrl = z
  .string()
  .trim()
  .max(2000)
  .transform(withScheme)
  .refine(
    isServerUrl,
    'This must be an address such as https://models.example.org/v1, without a password in it',
  )

/** Names that a company's own network has, and addresses. */
const PRIVATE_HOST = /^(?:[^.]+|[\d.]+|\[.*\]|.*\.(?:internal|local|lan|localhost))$/

/** What people copy often begins with the name of the host. Inside of a network few servers have a certificate. */
function withScheme(value: string): string {
  const [, host] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d+)?(?:[/?]\S*)?$/i.exec(value) ?? []
  if (host === undefined) return value
  return `${PRIVATE_HOST.test(host.toLowerCase()) ? 'http' : 'https'}://${value}`
}

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

/** `unchecked`: also if the server does not answer with this model now. */
const Setting = ModelServer.extend({ unchecked: z.boolean().optional() })
const model = text(1, 200, { trim: true })

export const LanguageModelSet = Setting.extend({
  model,
  /** Tokens that the model takes with its answer. Without it the server is asked. */
  context_tokens: z.int().min(1000).max(100_000_000).nullable().optional(),
})
export type LanguageModelSet = z.infer<typeof LanguageModelSet>

export const EmbeddingsSet = Setting.extend({ model })
export type EmbeddingsSet = z.infer<typeof EmbeddingsSet>

/** Without a model: a server that has one only, in the form of Text Embeddings Inference. */
export const RerankerSet = Setting.extend({ model: model.nullable().optional() })
export type RerankerSet = z.infer<typeof RerankerSet>

/** The address is that of the request itself (docs/text-recognition.md). */
export const OcrSet = Setting
export type OcrSet = z.infer<typeof OcrSet>

/** What all of them have in common. */
export type ModelSet = OcrSet & {
  model?: string | null | undefined
  context_tokens?: number | null | undefined
}

export const MODEL_CHECKS = ['tools', 'context', 'structure'] as const
const ModelCheck = z.enum(MODEL_CHECKS)
export type ModelCheck = z.infer<typeof ModelCheck>

/** Without a model: the one that serves. Without `check`: all, until one cannot reach the model. */
export const ModelTry = z.object({ model: LanguageModelSet.optional(), check: ModelCheck.optional() })
export type ModelTry = z.infer<typeof ModelTry>

/** `null`: the model that makes embeddings without a server. */
export const EmbeddingsTry = z.object({ model: EmbeddingsSet.nullable().optional() })
export type EmbeddingsTry = z.infer<typeof EmbeddingsTry>
export const RerankerTry = z.object({ model: RerankerSet.optional() })
export type RerankerTry = z.infer<typeof RerankerTry>
export const OcrTry = z.object({ model: OcrSet.optional() })
export type OcrTry = z.infer<typeof OcrTry>

const MAX_GRAPH_TOKENS = 1_000_000_000_000
export const GraphBudgetSet = z.object({ tokens: z.int().min(0).max(MAX_GRAPH_TOKENS) })
export type GraphBudgetSet = z.infer<typeof GraphBudgetSet>

/** `environment`: set where the service is started, which wins over what is set here. */
type SettingSource = 'environment' | 'settings' | 'none'

/** A server and its model, without the key. */
export interface ModelSetting {
  source: SettingSource
  url: string | null
  model: string | null
  has_key: boolean
  set_at: string | null
  /** Why it cannot be used, and what to do. */
  problem: string | null
}

/** The model that answers questions. */
export interface LanguageModel extends ModelSetting {
  context_tokens: number | null
}

/** The model by whose embeddings passages are searched. */
export interface EmbeddingsModel extends ModelSetting {
  /** The numbers of a vector, as they were measured when it was set. */
  dimensions: number | null
  /** The model on the machine itself, which serves where no server is set; null: none. */
  local: string | null
  /** The passages of all workspaces. */
  chunks: number
  /** Those in documents that are complete in the space of the model. */
  embedded: number
}

/** How much of the language model the graph of each workspace may use. */
export interface GraphBudget {
  source: SettingSource
  tokens: number
  set_at: string | null
  /** What all workspaces together have used. */
  spent: number
}

export interface ModelSettings {
  language: LanguageModel
  embeddings: EmbeddingsModel
  reranker: ModelSetting
  ocr: ModelSetting
  graph: GraphBudget
}

/** The part of the form that a problem is about. */
export type ModelField = 'url' | 'key' | 'model'

export interface ModelProblem {
  field: ModelField | null
  /** What is wrong, and what to do. */
  message: string
}

/** The models that a server says it has. */
export interface ServerModels {
  /** Its address, with the `/v1` that was missing. */
  url: string
  data: { id: string }[]
  problem: ModelProblem | null
}

/** A model server that answers at its usual port of the machine that Kenning runs on. It is offered, and not used unasked. */
export interface LocalServer {
  name: string
  url: string
}

export interface ModelFinding {
  check: 'answer' | 'tools' | 'context' | 'structure' | 'speed' | 'meaning' | 'refill' | 'order' | 'text'
  /** `warning`: Kenning works with it, but less well. */
  outcome: 'ok' | 'warning' | 'problem'
  /** What was seen and, unless all is well, what to do. */
  message: string
  field: ModelField | null
}

export interface ModelTrial {
  data: ModelFinding[]
  /** Of embeddings: how long all passages take to get new vectors. */
  refill?: { chunks: number; seconds: number }
  /** Of a language model: what the checks took. */
  used?: TrialUse
}

export interface TrialUse {
  prompt_tokens: number
  answer_tokens: number
  /** `null`: the model has no price. */
  cost: number | null
  currency: string | null
}
