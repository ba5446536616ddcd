// Which servers an administrator may enter. An administrator need not be the operator of the machine. So the models may be on the networks
// that sources may use: the public internet and KENNING_PRIVATE_NETWORKS. The usual addresses of model servers on the machine itself are
// allowed too, but no other address there.

import { BlockList, isIP } from 'node:net'
import type { ModelPart } from '../contract/models.ts'
import type { Deps } from '../ports/deps.ts'
import { allowAll, type MayConnect } from '../ports/outbound/guard.ts'
import { guardedFetch } from '../ports/outbound/guarded-fetch.ts'
import { type Fetch, OutboundFailed } from '../ports/outbound/outbound.ts'

/** The usual ports of model servers. */
export const LOCAL_PORTS: readonly { name: string; port: number }[] = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vLLM', port: 8000 },
]

/** Inside a container, `host.docker.internal` is the machine that runs it. */
const LOCAL_HOSTS = ['localhost', 'host.docker.internal']
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

const localUrl = (host: string, port: number): string => `http://${host}:${port}/v1`

/** The addresses at which Kenning looks for local model servers. */
export const LOCAL_SERVERS: readonly { name: string; url: string }[] = LOCAL_PORTS.flatMap(({ name, port }) =>
  LOCAL_HOSTS.map((host) => ({ name, url: localUrl(host, port) })),
)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
const isLoopback: MayConnect = (address) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The usual paths of local servers. A server that recognises text has no usual path. */
const LOCAL_PATHS: Readonly<Record<ModelPart, readonly string[]>> = {
  language: ['/v1'],
  embeddings: ['/v1'],
  reranker: ['', '/rerank', '/v1', '/v1/rerank'],
  ocr: [],
}

/** Which IP addresses are allowed in addition, if the URL is the usual one of a model server on this machine. */
function localGuard(part: ModelPart, url: string): MayConnect | undefined {
  const { href, hostname } = new URL(url)
  const isUsual = LOCAL_PORTS.some(({ port }) =>
    LOCAL_PATHS[part].some((path) => href.replace(/\/$/, '') === `http://${hostname}:${port}${path}`),
  )
  if (!isUsual) return undefined
  if (LOOPBACK_HOSTS.includes(hostname)) return isLoopback
  // No public name server answers for `.internal`, which is reserved for private use.
  return hostname === 'host.docker.internal' ? allowAll : undefined
}

/** A fetch for the server at this address. If the guard refuses a connection, the error names who can allow it. */
export function fetchFor({ mayConnect }: Pick<Deps, 'mayConnect'>, part: ModelPart, url: string): Fetch {
  const mayConnectLocally = localGuard(part, url)
  const send = guardedFetch((address) => mayConnect(address) || (mayConnectLocally?.(address) ?? false))
  return async (address, options) => {
    try {
      return await send(address, options)
    } catch (error) {
      if (!(error instanceof OutboundFailed) || error.status !== undefined) throw error
      throw new OutboundFailed(`${error.message} ${WHO_ALLOWS}`, undefined, { cause: error })
    }
  }
}

const WHO_ALLOWS = 'Whoever runs the machine can allow its network with KENNING_PRIVATE_NETWORKS.'
