// The settings as data: what each may be, and what it means. Read by ../config.ts alone.

import { z } from 'zod'
import { peopleSettings } from './people.ts'

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 8484

const optional = z.string().min(1).optional()

/** One row a setting: the schema, and what the README and .env.example say of it (a test holds them together). */
export const settings = {
  KENNING_HOST: { schema: z.string().min(1).default(DEFAULT_HOST), says: 'address to listen on' },
  KENNING_PORT: {
    schema: z.coerce
      .number('must be a port number')
      .int()
      .min(1, 'must be 1 to 65535')
      .max(65535, 'must be 1 to 65535')
      .default(DEFAULT_PORT),
    says: 'port to listen on',
  },
  KENNING_BASE_URL: {
    schema: z
      .string()
      .refine(
        isBaseUrl,
        'must be an origin and exactly /v1, https (or http on localhost), such as https://kenning.example.org/v1',
      )
      // One spelling: tokens, cookies and the metadata compare it as text.
      .transform((text) => `${new URL(text).origin}/v1`)
      .optional(),
    says: 'public address of the API: an origin and exactly /v1',
  },
  KENNING_ASK_PER_HOUR: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(1_000_000, 'must be at most 1000000')
      .default(60),
    says: 'questions an hour for each user or key',
  },
  KENNING_EMBEDDER: {
    schema: z
      .enum(['auto', 'lexical', 'onnx', 'openai', 'none'], 'must be auto, lexical, onnx, openai or none')
      .default('auto'),
    says: 'search by meaning: auto takes the best there is; lexical, onnx, openai or none',
  },
  KENNING_EMBEDDINGS_URL: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    says: 'server of embeddings in the OpenAI protocol, such as https://api.openai.com/v1',
  },
  KENNING_EMBEDDINGS_MODEL: { schema: optional, says: 'model of that server' },
  KENNING_EMBEDDINGS_KEY: { schema: optional, says: 'key of that server' },
  KENNING_ONNX_MODEL: {
    schema: optional,
    says: 'folder of a sentence model in ONNX; without it the only one in <data>/models',
  },
  KENNING_OCR_LANGUAGES: {
    schema: z
      .string()
      .regex(
        /^[A-Za-z]{3}(_[A-Za-z]+)*(,[A-Za-z]{3}(_[A-Za-z]+)*)*$/,
        'must be codes of Tesseract with commas between them, such as eng,deu',
      )
      .optional(),
    says: 'languages of scans and pictures, the likeliest first; without it every installed one, English first',
  },
  KENNING_PICTURE_TEXT: {
    schema: z.enum(['on', 'off'], 'must be on or off').default('on'),
    says: 'words in pictures inside documents: on or off (scans and image files are always read)',
  },
  KENNING_LLM_URL: {
    schema: z.url('must be a URL').optional(),
    says: 'server with /chat/completions (OpenAI, Ollama, vLLM …) for whatever a language model makes better',
  },
  KENNING_LLM_MODEL: { schema: optional, says: 'model of that server' },
  KENNING_LLM_KEY: { schema: optional, says: 'key of that server' },
  KENNING_LLM_FALLBACK: {
    schema: z.enum(['extractive', 'none'], 'must be extractive or none').default('extractive'),
    says: 'what answers a question when that model fails: extractive (quotations) or none (error 502)',
  },
  KENNING_RERANK_URL: {
    schema: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    says: 'server with /rerank (Text Embeddings Inference, Cohere, Jina, vLLM …) that orders the best passages anew',
  },
  KENNING_RERANK_MODEL: { schema: optional, says: 'model of that server; without it the one that TEI holds' },
  KENNING_RERANK_KEY: { schema: optional, says: 'key of that server' },
  KENNING_GRAPH_TOKENS: {
    schema: z.coerce
      .number('must be a whole number')
      .int('must be a whole number')
      .min(0, 'must be at least 0')
      .max(1_000_000_000_000, 'must be at most 10^12')
      .default(0),
    says: 'tokens that the graph of a workspace may cost with that model; 0: none, the graph is made without it',
  },
  KENNING_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    says: 'folder of the database and the files',
  },
  KENNING_ADMIN_EMAIL: {
    schema: z.email('must be an e-mail address').optional(),
    says: 'e-mail of the first account',
  },
  KENNING_ADMIN_PASSWORD: {
    schema: z.string().min(12, 'must have at least 12 characters').optional(),
    says: 'password of the first account, 12 characters or more',
  },
  ...peopleSettings,
  DATABASE_URL: {
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
      .optional(),
    says: 'PostgreSQL 15 or newer with pgvector; without it an embedded one is started',
  },
  KENNING_ROLE: {
    schema: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
    says: 'what this process does: all, or api or worker alone (those need DATABASE_URL)',
  },
  KENNING_LOG_LEVEL: {
    schema: z
      .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
      .default('info'),
    says: 'how much is logged',
  },
} as const satisfies Record<string, { schema: z.ZodType; says: string }>

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const bare = !url.search && !url.hash && !url.username && !url.password && url.pathname === '/v1'
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return bare && (url.protocol === 'https:' || (url.protocol === 'http:' && loopback))
}
