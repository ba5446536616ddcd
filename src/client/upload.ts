// Uploads that tell how much of them has left: browsers tell it only by XMLHttpRequest, elsewhere the body is counted as it goes.

interface Sending {
  signal?: AbortSignal
  onProgress?: (share: number) => void
}

/** The part of XMLHttpRequest that is used; it is no type of Node. */
interface Exchange {
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getResponseHeader(name: string): string | null
  send(body: FormData): void
  abort(): void
  readonly status: number
  readonly responseText: string
  readonly upload: { onprogress: (event: { loaded: number; total: number }) => void }
  onload: () => void
  onerror: () => void
  onabort: () => void
}

const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Exchange }

export const sendForm = (
  send: typeof fetch,
  { url, form, headers }: { url: string; form: FormData; headers: Record<string, string> },
  sending: Sending,
): Promise<Response> =>
  XMLHttpRequest
    ? byExchange(new XMLHttpRequest(), { url, form, headers }, sending)
    : byStream(send, { url, form, headers }, sending)

function byExchange(
  request: Exchange,
  { url, form, headers }: { url: string; form: FormData; headers: Record<string, string> },
  { signal, onProgress }: Sending,
): Promise<Response> {
  const abort = (): void => request.abort()
  return new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted()
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0)
    request.onload = () => {
      const retryAfter = request.getResponseHeader('retry-after')
      const answered = {
        status: request.status,
        headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
      }
      resolve(new Response(request.responseText, answered))
    }
    request.onerror = () => reject(new TypeError('connection lost'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    request.send(form)
  }).finally(() => signal?.removeEventListener('abort', abort))
}

function byStream(
  send: typeof fetch,
  { url, form, headers }: { url: string; form: FormData; headers: Record<string, string> },
  { signal, onProgress }: Sending,
): Promise<Response> {
  const encoded = new Response(form)
  let total = 0
  for (const value of form.values()) total += typeof value === 'string' ? value.length : value.size
  let sentCount = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      controller.enqueue(part)
      sentCount += part.byteLength
      onProgress?.(Math.min(1, sentCount / (total || 1)))
    },
  })
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': encoded.headers.get('content-type') ?? '' },
    body: encoded.body?.pipeThrough(counting) ?? null,
    signal: signal ?? null,
    duplex: 'half' as const,
  }
  return send(url, init)
}
