// How commands reach a service: with `fetch`, or through the proxy and with the certificate authorities of the environment.

import { DIRECT, networkInUse, useNetwork } from '../ports/outbound/network.ts'
import { send } from '../ports/outbound/send.ts'
import { wrongUse } from './failure.ts'

const SETTINGS = ['HTTPS_PROXY', 'HTTP_PROXY', 'KENNING_CA_FILE'] as const

/**
 * Uses the settings of the network. Without settings no schemas are loaded, which saves time. @throws CommandFailed with exit code
 * 2
 */
export async function useNetworkOf(environment: NodeJS.ProcessEnv): Promise<void> {
  if (!SETTINGS.some((name) => environment[name] || environment[name.toLowerCase()])) return
  const { ConfigError, readNetwork } = await import('../config.ts')
  try {
    useNetwork(readNetwork(environment))
  } catch (error) {
    throw error instanceof ConfigError ? wrongUse(error.message) : error
  }
}

/** Like `fetch`. An upload through a proxy is kept in memory completely. */
export const serviceFetch: typeof fetch = async (address, init = {}) => {
  if (networkInUse() === DIRECT) return fetch(address, init)
  const { method = 'GET', signal = null } = init
  const headers = new Headers(init.headers)
  const { body } = init
  const isPlain = body == null || typeof body === 'string' || body instanceof Blob
  // The content type of a form contains its boundary.
  const encodedBody = isPlain ? undefined : new Response(body)
  const type = encodedBody?.headers.get('content-type')
  if (type && !headers.has('content-type')) headers.set('content-type', type)
  const url = address instanceof Request ? address.url : address
  return send(url, { method, headers, signal, body: isPlain ? body : await encodedBody?.blob() })
}
