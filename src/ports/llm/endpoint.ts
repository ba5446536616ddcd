// Derives the addresses of a model's server and the header with its key from the URL that a person entered. Pure.

import type { Fetch } from '../outbound/outbound.ts'
import { send } from '../outbound/send.ts'

export interface Endpoint {
  host: string
  /** The address of `POST /chat/completions`. */
  chatUrl: string
  /** The address of a path beside `/chat/completions`. */
  beside(path: string): string
  /** The address of a path at the root of the server, outside of the part with OpenAI's protocol (`/v1`). */
  atRoot(path: string): string
  /** The header with the key. */
  headers: Record<string, string>
  fetch: Fetch
}

/**
 * @param url with or without `/chat/completions` or `/embeddings` at the end. A query with `api-version` means Azure
 * (`…/openai/deployments/NAME?api-version=…`), which has another header for the key.
 */
export function endpointOf(url: string, key: string | undefined, fetch: Fetch = send): Endpoint {
  const base = new URL(url)
  base.pathname = base.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|embeddings)$/, '')
  const addressOf = (path: string): string => {
    const address = new URL(base)
    address.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`
    return address.href
  }
  const isAzure = base.searchParams.has('api-version')
  return {
    host: base.host,
    chatUrl: addressOf('chat/completions'),
    beside: addressOf,
    atRoot: (path) => new URL(`${base.pathname.replace(/\/(?:v1\/?)?$/, '')}/${path}`, base.origin).href,
    headers: key ? (isAzure ? { 'api-key': key } : { authorization: `Bearer ${key}` }) : {},
    fetch,
  }
}
