// Uploads with progress. Browsers report it only for XMLHttpRequest; in Node.js the bytes of the body are counted.

interface SendOptions {
  signal?: AbortSignal
  onProgress?: (share: number) => void
}

/** The used part of XMLHttpRequest, which the types of Node.js do not declare. */
interface XhrRequest {
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

const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => XhrRequest }

export const sendForm = (
  send: typeof fetch,
  { url, form, headers }: { url: string; form: FormData; headers: Record<string, string> },
  options: SendOptions,
): Promise<Response> =>
  XMLHttpRequest
    ? sendByXhr(new XMLHttpRequest(), { url, form, headers }, options)
    : sendByFetch(send, { url, form, headers }, options)

function sendByXhr(
  request: XhrRequest,
  { url, form, headers }: { url: string; form: FormData; headers: Record<string, string> },
  { signal, onProgress }: SendOptions,
): Promise<Response> {
  const abort = (): void => request.abort()
  return new Promise<Response>((resolve, reject) => {
    signal?.throwIfAborted()
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0)
    request.onload = () => {
      const retryAfter = request.getResponseHeader('retry-after')
      const responseInit = {
        status: request.status,
        headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
      }
      resolve(new Response(request.responseText, responseInit))
    }
    request.onerror = () => reject(new TypeError('connection lost'))
    request.onabort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    request.send(form)
  }).finally(() => signal?.removeEventListener('abort', abort))
}

function sendByFetch(
  send: typeof fetch,
  { url, form, headers }: { url: string; form: FormData; headers: Record<string, string> },
  { signal, onProgress }: SendOptions,
): Promise<Response> {
  const encodedForm = new Response(form)
  let total = 0
  for (const value of form.values()) total += typeof value === 'string' ? value.length : value.size
  let sentCount = 0
  const byteCounter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      controller.enqueue(part)
      sentCount += part.byteLength
      onProgress?.(Math.min(1, sentCount / (total || 1)))
    },
  })
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': encodedForm.headers.get('content-type') ?? '' },
    body: encodedForm.body?.pipeThrough(byteCounter) ?? null,
    signal: signal ?? null,
    duplex: 'half' as const,
  }
  return send(url, init)
}
