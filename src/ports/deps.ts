// Everything a room may be given. A room function asks for a Pick of it, so its signature confesses its powers.

import type { Blobs } from './blobs/blobs.ts'
import type { DiskCache } from './cache/disk-cache.ts'
import type { Company, CompanySignIn } from './company/company.ts'
import type { Db } from './db/db.ts'
import type { Embedder } from './embedder/embedder.ts'
import type { ChatModel } from './llm/llm.ts'
import type { Mail } from './mail/mail.ts'
import type { Documents } from './outbound/documents.ts'
import type { Reranker } from './rerank/rerank.ts'

/** Structured logs; never document text, tokens or file contents. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The settings rooms need, as data (src/config.ts reads them from the environment). */
export interface Settings {
  /** Origin and exactly `/v1`, without a trailing slash. */
  baseUrl: string
  /** The origin of `baseUrl`: the issuer, and what `/session` and `/oauth` are relative to. */
  origin: string
  askPerHour: number
  /** Tokens that a workspace's graph may cost with a model; 0: no model reads documents. */
  graphTokens: number
  /** What answers a question when the model fails: quotations, or an error. */
  llmFallback: 'extractive' | 'none'
  dataDir: string
  signup: 'closed' | 'open'
  /** Addresses and networks (CIDR) whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Origins whose pages may call /v1 from a browser. */
  corsOrigins: readonly string[]
  /** Sign-in with the company's OpenID provider; undefined where none is configured. */
  company: CompanySignIn | undefined
}

/** Draws a page of a file in a process of its own (reader/pool.ts). */
export interface PageRenderer {
  /** The page as PNG, 1-based. Rejects with NoSuchPage or UnreadableFile for what is the file's fault. */
  renderPage(file: { path: string; kind: string }, page: number, signal?: AbortSignal): Promise<Buffer>
}

export interface Deps {
  db: Db
  blobs: Blobs
  /** What can be made again: pictures of pages. */
  cache: DiskCache
  pages: PageRenderer
  embedder: Embedder
  /** Undefined where none is configured. */
  llm: ChatModel | undefined
  /** Undefined where none is configured. */
  reranker: Reranker | undefined
  /** Metadata documents of OAuth clients. */
  documents: Documents
  /** Undefined where no company sign-in is configured. */
  company: Company | undefined
  /** Undefined where no mail server is configured. */
  mail: Mail | undefined
  log: Log
  settings: Settings
  /** 32 random bytes of this installation, from the database: signs cursors. */
  cursorKey: Buffer
}
