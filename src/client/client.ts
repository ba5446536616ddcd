// The typed client of the HTTP API, for Node and browsers: one function for each operation of the contract.
//
//   const kenning = createClient({ baseUrl: 'https://kenning.example/v1', token: 'ken_…' })
//   const found = await kenning.search({ workspace_id, query: 'notice period' })
//   for await (const event of kenning.askEvents({ workspace_id, question })) …

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { errorOf, KenningError } from './error.ts'
import { routes } from './routes.ts'
import type {
  Answer,
  ByteOperations,
  ImportIds,
  Job,
  JobProgress,
  JsonOperations,
  OnConflict,
  OtherOperations,
  Step,
  WorkspaceImport,
} from './types.ts'
import { sendForm } from './upload.ts'

export { type ErrorType, KenningError } from './error.ts'
export type * from './types.ts'

export interface Operations extends JsonOperations, ByteOperations, OtherOperations {}
/** Path parameters, query and body of an operation as one object. */
export type Input<Id extends keyof Operations> = Operations[Id]['input']
export type Output<Id extends keyof Operations> = Operations[Id]['output']

/** The operations that return a page of a list. */
export type ListOperation = {
  [Id in keyof JsonOperations]: Output<Id> extends { data: unknown[]; next_cursor: string | null }
    ? Id
    : never
}[keyof JsonOperations]
type Item<Id extends ListOperation> = Output<Id> extends { data: (infer Each)[] } ? Each : never

export interface CallOptions {
  signal?: AbortSignal
  /** Makes a POST safe to send again: the service answers a repeated key with the first result. */
  idempotencyKey?: string
}

export interface ClientOptions {
  /** Address of the API with its version, for example `https://kenning.example/v1`. */
  baseUrl: string
  /** An API key or an access token, or a function that returns one. After a 401 it is called again with `renew`. */
  token: string | ((renew: boolean) => Promise<string>)
  fetch?: typeof fetch
  /** How often a request that may be repeated is tried again after 429, 502, 503, 504 or a lost connection. Default 2. */
  retries?: number
}

export interface UploadOptions extends CallOptions {
  /** Called with the share of bytes sent, 0 to 1. */
  onProgress?: (share: number) => void
}

export type AskEvent = { event: 'step'; data: Step } | { event: 'answer'; data: Answer }
export type JobEvent = { event: 'progress'; data: JobProgress } | { event: 'complete'; data: JobProgress }

export interface ImportInput {
  /** Made by `bytes('exportWorkspace', …)`. */
  archive: Blob
  /** `keep`, the default: the ids of the archive, which must be unused. `new`: new ids, for a copy. */
  ids?: ImportIds
  /** The workspace's name, if it should differ from the one in the archive. */
  name?: string
}

export interface UploadInput {
  workspace_id: string
  /** A name may be a path: `Contracts/lease.pdf` is in the folder `Contracts`. */
  files: readonly { name: string; content: Blob }[]
  on_conflict?: OnConflict
}

/** The input may be left out if none of its fields is required. */
type Method<Input, Output> =
  Record<string, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Output>
    : (input: Input, options?: CallOptions) => Promise<Output>

export type Methods = {
  [Id in keyof JsonOperations]: Method<JsonOperations[Id]['input'], JsonOperations[Id]['output']>
}

export interface KenningClient extends Methods {
  /** A question, answered step by step. */
  askEvents(input: Omit<Input<'ask'>, 'stream'>, options?: CallOptions): AsyncGenerator<AskEvent>
  /** The progress of a job, until all its files are complete. */
  jobEvents(input: Input<'jobEvents'>, options?: CallOptions): AsyncGenerator<JobEvent>
  /** All items of a list, page after page. */
  all<Id extends ListOperation>(
    operation: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): AsyncGenerator<Item<Id>>
  /** A file or a page image; the caller reads the body. */
  bytes<Id extends keyof ByteOperations>(
    operation: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Response>
  /** Up to 20 files at once; they can be found when the job is done. */
  upload(input: UploadInput, options?: UploadOptions): Promise<Job>
  /** Starts the import of an archive as a workspace; `getImport` returns its progress. */
  importWorkspace(input: ImportInput, options?: CallOptions): Promise<WorkspaceImport>
}

const TRANSIENT = new Set([429, 502, 503, 504])
const MAX_WAIT_SECONDS = 60

export function createClient(options: ClientOptions): KenningClient {
  const base = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args))
  const tokenOf = (renew: boolean): Promise<string> =>
    typeof options.token === 'string' ? Promise.resolve(options.token) : options.token(renew)

  /**
   * Sends a request. After a 401 it is sent again with a new token, and after a temporary failure if repeating it is safe.
   * @throws KenningError
   */
  async function request(id: keyof Operations, input: object, call: Call = {}): Promise<Response> {
    const { method, url, body } = buildRequest(base, id, input)
    // A search is a POST, but changes nothing.
    const isRepeatable = method !== 'POST' || id === 'search' || call.idempotencyKey !== undefined
    let mayRenew = typeof options.token === 'function'
    let renew = false
    for (let retries = 0; ; ) {
      const headers: Record<string, string> = { authorization: `Bearer ${await tokenOf(renew)}` }
      renew = false
      if (call.idempotencyKey !== undefined) headers['idempotency-key'] = call.idempotencyKey
      if (call.accept !== undefined) headers.accept = call.accept
      if (call.file) headers['content-type'] = 'application/zip'
      else if (body !== undefined && call.form === undefined) headers['content-type'] = 'application/json'
      const init: RequestInit = {
        method,
        headers,
        body: call.form ?? call.file ?? body ?? null,
        signal: call.signal ?? null,
      }
      const pendingResponse =
        call.form && call.onProgress
          ? sendForm(send, { url, form: call.form, headers }, call)
          : send(url, init)
      const response = await pendingResponse.catch((error: unknown) => asError(error, call.signal))
      if (response instanceof Response && response.ok) return response
      const error = response instanceof Response ? await errorOf(response) : response
      if (error.status === 401 && mayRenew) {
        mayRenew = false
        renew = true
        continue
      }
      const canRetry = isRepeatable && (error.status === 0 || TRANSIENT.has(error.status))
      if (!canRetry || retries >= (options.retries ?? 2)) throw error
      await wait(Math.min(error.retryAfter ?? 0.5 * 2 ** retries, MAX_WAIT_SECONDS), call.signal)
      retries++
    }
  }

  async function json(id: keyof Operations, input: object, call?: CallOptions): Promise<unknown> {
    const response = await request(id, input, call)
    if (response.status === 204) return undefined
    return response.json().catch((error: unknown) => {
      throw asError(error, call?.signal)
    })
  }

  async function* all(id: ListOperation, input: object, call?: CallOptions) {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = (await json(id, { ...input, cursor }, call)) as Output<'listDocuments'>
      yield* page.data
      cursor = page.next_cursor
    }
  }

  async function* events(id: keyof Operations, input: object, call?: CallOptions) {
    const response = await request(id, input, { ...call, accept: 'text/event-stream' })
    let lastEvent: string | undefined
    for await (const { event, data } of messagesOf(response, call?.signal)) {
      const message = JSON.parse(data)
      if (event === 'error')
        throw new KenningError(response.status, message.error.type, message.error.message)
      lastEvent = event
      yield { event, data: message }
    }
    if (id === 'ask' && lastEvent !== 'answer') throw unreachable()
  }

  async function upload({ files, ...input }: UploadInput, call: UploadOptions = {}): Promise<Job> {
    const form = new FormData()
    for (const { name, content } of files) form.append('files', content, name)
    const idempotencyKey = call.idempotencyKey ?? randomKey()
    const response = await request('uploadFiles', input, { ...call, idempotencyKey, form })
    return (await response.json()) as Job
  }

  async function importWorkspace({ archive, ...input }: ImportInput, call: CallOptions = {}) {
    const idempotencyKey = call.idempotencyKey ?? randomKey()
    const response = await request('importWorkspace', input, { ...call, idempotencyKey, file: archive })
    return (await response.json()) as WorkspaceImport
  }

  const ownMethods = {
    all,
    upload,
    importWorkspace,
    bytes: request,
    askEvents: (input: object, call?: CallOptions) => events('ask', { ...input, stream: true }, call),
    jobEvents: (input: object, call?: CallOptions) => events('jobEvents', input, call),
  }
  const operations = Object.keys(routes).map((id) => [
    id,
    (input: object = {}, call?: CallOptions) => json(id as keyof Operations, input, call),
  ])
  return { ...Object.fromEntries(operations), ...ownMethods } as unknown as KenningClient
}

interface Call extends UploadOptions {
  accept?: string
  form?: FormData
  file?: Blob
}

/** A random idempotency key. `crypto.randomUUID` is not used, because browsers have it only on pages of https and localhost. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Fills `{name}` in the path from the input. The rest of the input becomes the query or the JSON body. */
function buildRequest(base: string, id: keyof Operations, input: object) {
  const [method = '', path = ''] = routes[id].split(' ')
  const unusedInput: Record<string, unknown> = { ...input }
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = unusedInput[name]
    delete unusedInput[name]
    return encodeURIComponent(String(value))
  })
  const hasFileBody = id === 'uploadFiles' || id === 'importWorkspace'
  const isInQuery = method === 'GET' || method === 'DELETE' || hasFileBody
  if (!isInQuery) return { method, url: base + filledPath, body: JSON.stringify(unusedInput) }
  const parameters = Object.entries(unusedInput).filter(([, value]) => value !== undefined && value !== null)
  const query = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return { method, url: `${base}${filledPath}${query && `?${query}`}`, body: undefined }
}

const unreachable = (cause?: unknown): KenningError =>
  new KenningError(0, 'unreachable', 'The service cannot be reached, or the connection was lost.', { cause })

/** @throws the signal's reason if the caller has aborted the request, because the service has not failed then */
function asError(error: unknown, signal: AbortSignal | undefined): KenningError {
  signal?.throwIfAborted()
  return unreachable(error)
}

const wait = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', abort, { once: true })
  })

async function* messagesOf(
  response: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage> {
  const messages: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (message) => messages.push(message) })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const piece = await reader?.read().catch((error: unknown) => {
        throw asError(error, signal)
      })
      if (!piece || piece.done) return
      parser.feed(piece.value)
      yield* messages.splice(0)
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}
