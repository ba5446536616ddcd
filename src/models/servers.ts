// What model servers say that they have, and which ones answer on the machine itself.

import { z } from 'zod'
import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import type { LocalServer, ModelServer, ServerModels } from '../contract/models.ts'
import type { Deps } from '../ports/deps.ts'
import { endpointOf } from '../ports/llm/endpoint.ts'
import { getJson, OutboundFailed } from '../ports/outbound/outbound.ts'
import { problemOf } from './problem.ts'
import { fetchFor, LOCAL_SERVERS } from './reach.ts'
import { keyFor } from './settings.ts'

const LIST_MS = 15_000
// A provider of hundreds of models describes each in a kilobyte or two.
const MAX_LIST_BYTES = 4_000_000
const MAX_MODELS = 2000
const LOCAL_MS = 1500

const ModelList = z.object({ data: z.array(z.looseObject({ id: z.string().min(1).max(200) })) })

/** The models of a server, by name. @throws ApiError 403, 422 */
export async function listServerModels(
  deps: Pick<Deps, 'db' | 'seal' | 'mayConnect'>,
  admin: SessionUser,
  server: ModelServer,
): Promise<ServerModels> {
  requireAdmin(admin)
  return modelsOf(deps, server.url, await keyFor(deps, admin, server))
}

export async function modelsOf(
  deps: Pick<Deps, 'mayConnect'>,
  url: string,
  key: string | undefined,
): Promise<ServerModels> {
  const endpoint = endpointOf(url, key, fetchFor(deps, url))
  try {
    const headers = { ...endpoint.headers, ...ownHeaders(endpoint.host, key) }
    const { status, body } = await getJson(endpoint.beside('models'), LIST_MS, undefined, {
      headers,
      send: endpoint.fetch,
      maxBytes: MAX_LIST_BYTES,
    })
    const list = ModelList.safeParse(body)
    if (status === 200 && list.success) return { data: namesOf(list.data), problem: null }
    if (NO_LIST.has(status))
      return { data: [], problem: { field: null, message: withoutList(endpoint.host) } }
    const advice = status === 401 ? ': it does not accept the key' : ' when it was asked for its models'
    throw new OutboundFailed(`${endpoint.host} answered ${status}${advice}`, status)
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return { data: [], problem: problemOf(error) }
  }
}

// A server need not have a list, as Azure's deployments have none.
const NO_LIST = new Set([200, 400, 404, 405, 501])
const withoutList = (host: string): string =>
  `${host} lists no models at this address: enter the name of the model. Most servers want /v1 at the end of the address.`

const namesOf = ({ data }: z.infer<typeof ModelList>): ServerModels['data'] =>
  [...new Set(data.map(({ id }) => id))]
    .sort((a, b) => a.localeCompare(b))
    .slice(0, MAX_MODELS)
    .map((id) => ({ id }))

/** Anthropic's list is not part of its compatible protocol: it takes the key elsewhere, and wants a version. */
const ownHeaders = (host: string, key: string | undefined): Record<string, string> =>
  host === 'api.anthropic.com' && key ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : {}

/** The model servers that answer at their usual ports of this machine. @throws ApiError 403 */
export async function listLocalServers(
  deps: Pick<Deps, 'mayConnect'>,
  admin: SessionUser,
  candidates: readonly LocalServer[] = LOCAL_SERVERS,
): Promise<{ data: LocalServer[] }> {
  requireAdmin(admin)
  const answers = await Promise.all(
    candidates.map(async (server) => ((await answers200(deps, server.url)) ? [server] : [])),
  )
  return { data: answers.flat() }
}

async function answers200(deps: Pick<Deps, 'mayConnect'>, url: string): Promise<boolean> {
  const endpoint = endpointOf(url, undefined, fetchFor(deps, url))
  try {
    const { status, body } = await getJson(endpoint.beside('models'), LOCAL_MS, undefined, {
      send: endpoint.fetch,
      maxBytes: MAX_LIST_BYTES,
    })
    // Other programs have these ports too: only a list of models is a model server's.
    return status === 200 && ModelList.safeParse(body).success
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return false
  }
}
