// All dependencies of the service's functions. A function takes only those that it needs (`Pick<Deps, …>`), so its signature shows
// what it can do.

import type { Admission } from './admission/admission.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { DiskCache } from './cache/disk-cache.ts'
import type { MemoryCache } from './cache/memory-cache.ts'
import type { Company, CompanySignIn } from './company/company.ts'
import type { Db } from './db/db.ts'
import type { CurrentEmbedder, Embedder } from './embedder/embedder.ts'
import type { CurrentModel } from './llm/llm.ts'
import type { Mail } from './mail/mail.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { MayConnect } from './outbound/guard.ts'
import type { UntrustedJson } from './outbound/untrusted-json.ts'
import type { CurrentReranker } from './rerank/rerank.ts'
import type { Seal } from './seal.ts'

/** Structured logs. They must not contain texts of documents, contents of files, or tokens. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** The settings that src/config.ts reads from the environment. */
export interface Settings {
  /** `siteUrl` followed by `/v1`, without a trailing slash. */
  baseUrl: string
  /**
   * The OAuth issuer, and the base of the console, `/session` and `/oauth`: an origin, and a path if other services share the
   * origin.
   */
  siteUrl: string
  /** The origin of `siteUrl`, as browsers send it. */
  origin: string
  askPerHour: number
  /** The models that the environment variables configure. */
  models: ConfiguredModels
  /** The answer when the language model fails: an extractive answer, or (`none`) an error. */
  llmFallback: 'extractive' | 'none'
  dataDir: string
  /** The folder into which the worker writes backups that administrators start. Undefined: they cannot start one. */
  backupDir: string | undefined
  signup: 'closed' | 'open'
  /** Addresses and networks (CIDR) whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** Origins whose pages may call /v1 from a browser. */
  corsOrigins: readonly string[]
  /** Sign-in with the company's OpenID provider. Undefined if none is configured. */
  company: CompanySignIn | undefined
  /** The folders of this machine and the rclone remotes that the operator allows sources to read. */
  sources: {
    folders: readonly AllowedSource[]
    remotes: readonly AllowedSource[]
    /** The environment variables that git and rclone get. */
    environment: Readonly<Record<string, string>>
  }
  /** Addresses and networks (CIDR) that sources may read besides the public internet. */
  privateNetworks: readonly string[]
  /** How long a run of a source may take. */
  sourceHours: number
  /** The folder of the built web console. Undefined if it was not built. */
  consoleDir: string | undefined
}

/** A model server that the environment variables configure, without its key. `url` undefined: the model runs on this machine. */
export interface ConfiguredServer {
  url: string | undefined
  model: string | undefined
  hasKey: boolean
}

/**
 * The models that the environment variables configure. A value here overrides the one that administrators set. Undefined:
 * administrators may set it.
 */
export interface ConfiguredModels {
  language: (ConfiguredServer & { contextTokens: number | undefined }) | undefined
  embeddings: ConfiguredServer | undefined
  reranker: ConfiguredServer | undefined
  ocr: ConfiguredServer | undefined
  graphTokens: number | undefined
}

export interface AllowedSource {
  /** Valid for this workspace only. Undefined: for all. */
  workspaceId: string | undefined
  location: string
}

/** Renders pages of files and reads files in separate processes (reader/pool.ts). */
interface PageRenderer {
  /**
   * The page (1-based) as PNG, in a size for reading unless a width is given. Rejects with NoSuchPage, or UnreadableFile for a
   * file that cannot be rendered.
   */
  renderPage(
    file: { path: string; kind: string },
    page: number,
    signal?: AbortSignal,
    options?: { width?: number },
  ): Promise<Buffer>
  /** The file's text, without recognition of pictures. Rejects with UnreadableFile. */
  parse(file: {
    path: string
    filename: string
    // The reader defines the kinds.
    kind: never
    signal: AbortSignal
  }): Promise<{
    blocks: { kind: string; text: string; page?: number }[]
    hidden?: { text: string; page?: number }[]
  }>
}

/** Hashes passwords (accounts/password-hash.ts). Both functions reject with ApiError 503 when too many calls wait. */
export interface Passwords {
  /** A PHC string. */
  hash(password: string): Promise<string>
  /** Takes equally long for an account that does not exist (`phc` undefined). */
  verify(phc: string | undefined, password: string): Promise<boolean>
}

/** Counts how documents are used (documents/use.ts). The calls only count in memory and run no statement. */
export interface UseCounts {
  /** The documents were shown as results of one search. */
  found(workspaceId: string, documentIds: readonly string[]): void
  /** The documents were cited by one answer. */
  cited(workspaceId: string, documentIds: readonly string[]): void
  /** @param accountId who opened the document; for a request with an API key, the account that owns the key */
  opened(workspaceId: string, documentId: string, accountId: string): void
}

export interface Deps {
  db: Db
  blobs: Blobs
  /** Images of pages, which can be rendered again. */
  cache: DiskCache
  /** Rankings of workspaces that are searched often. */
  memory: MemoryCache
  pages: PageRenderer
  /** The limits of this process. */
  admission: Admission
  embedder: CurrentEmbedder
  /** Makes the embeddings on this machine when no embedding server is configured. */
  localEmbedder: Embedder
  /** The language model that is in use now. Administrators may set or change it while the service runs. */
  llm: CurrentModel
  reranker: CurrentReranker
  /** How many tokens of the language model the graph of a workspace may use. 0: no model reads documents. */
  graphTokens: () => Promise<number>
  /** Metadata documents of OAuth clients. */
  clientMetadata: UntrustedJson
  /** Which addresses the service may contact for sources and webhooks. */
  mayConnect: MayConnect
  seal: Seal
  /** Undefined if no company sign-in is configured. */
  company: Company | undefined
  /** Undefined if no mail server is configured. */
  mail: Mail | undefined
  log: Log
  /** Undefined if no metrics are collected. */
  metrics: Metrics | undefined
  /** Undefined in processes that count nothing: the worker, and commands that run without a service. */
  use: UseCounts | undefined
  passwords: Passwords
  settings: Settings
  /** Signs cursors. It is 32 random bytes of this installation, stored in the database. */
  cursorKey: Buffer
}
