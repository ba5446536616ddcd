// The lists of models that servers have, and the model servers on the machine itself.

import { z } from 'zod'
import type { SessionUser } from '../accounts/sessions.sql.ts'
import { requireAdmin } from '../accounts/sessions.ts'
import type { LocalServer, ModelPart, ModelProblem, ModelServer, ServerModels } from '../contract/models.ts'
import type { Deps } from '../ports/deps.ts'
import { endpointOf } from '../ports/llm/endpoint.ts'
import { getJson, OutboundFailed } from '../ports/outbound/outbound.ts'
import { problemOf } from './problem.ts'
import { fetchFor, LOCAL_SERVERS } from './reach.ts'
import { keyFor } from './stored-key.ts'

const LIST_TIMEOUT_MS = 15_000
// Some providers describe hundreds of models, each in a kilobyte or two.
const MAX_LIST_BYTES = 4_000_000
const MAX_MODELS = 2000
const LOCAL_TIMEOUT_MS = 1500

const ModelList = z.object({ data: z.array(z.looseObject({ id: z.string().min(1).max(200) })) })

/** A server with its complete address and its key. */
export interface NamedServer {
  part: ModelPart
  url: string
  key: string | undefined
}

/** The models of a server, by name. @throws ApiError 403, 422 */
export async function listServerModels(
  deps: Pick<Deps, 'db' | 'seal' | 'mayConnect'>,
  admin: SessionUser,
  part: ModelPart,
  server: ModelServer,
): Promise<ServerModels> {
  requireAdmin(admin)
  return modelsOf(deps, await completeServer(deps, admin, part, server))
}

/** Adds the key to the server, and `/v1` to its address if it is left out. @throws ApiError 422 */
export async function completeServer(
  deps: Pick<Deps, 'db' | 'seal' | 'mayConnect'>,
  admin: SessionUser,
  part: ModelPart,
  server: ModelServer,
): Promise<NamedServer> {
  const withGivenUrl = { part, url: server.url, key: await keyFor(deps, admin, part, server) }
  if (!PARTS_WITH_VERSION.has(part) || !hasNoPath(server.url)) return withGivenUrl
  const withVersion = { ...withGivenUrl, url: `${new URL(server.url).origin}/v1` }
  try {
    const { status, models } = await requestModels(deps, withVersion)
    // If the key is rejected, there is a server at the address with `/v1`, too.
    const isKeyRejected = status === 401 || status === 403
    return models || isKeyRejected ? withVersion : withGivenUrl
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    // If the server cannot be reached, messages contain the address with `/v1`.
    return withVersion
  }
}

/** The parts that use OpenAI's protocol. */
const PARTS_WITH_VERSION: ReadonlySet<ModelPart> = new Set(['language', 'embeddings'])

function hasNoPath(url: string): boolean {
  const { pathname, search } = new URL(url)
  return pathname === '/' && search === ''
}

/** @throws OutboundFailed */
async function requestModels(
  deps: Pick<Deps, 'mayConnect'>,
  { part, url, key }: NamedServer,
  timeoutMs = LIST_TIMEOUT_MS,
): Promise<{ host: string; status: number; models: z.infer<typeof ModelList> | undefined }> {
  const endpoint = endpointOf(url, key, fetchFor(deps, part, url))
  const headers = { ...endpoint.headers, ...anthropicHeaders(endpoint.host, key) }
  const { status, body } = await getJson(endpoint.beside('models'), timeoutMs, undefined, {
    headers,
    send: endpoint.fetch,
    maxBytes: MAX_LIST_BYTES,
  })
  const list = ModelList.safeParse(body)
  return { host: endpoint.host, status, models: status === 200 ? list.data : undefined }
}

export async function modelsOf(deps: Pick<Deps, 'mayConnect'>, server: NamedServer): Promise<ServerModels> {
  const { part, url } = server
  try {
    const { host, status, models } = await requestModels(deps, server)
    if (models) return { url, data: namesOf(models), problem: null }
    const failure = failureOfStatus(host, status)
    if (failure) throw failure
    return { url, data: [], problem: { field: null, message: noListMessage(part, host) } }
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return { url, data: [], problem: problemOf(error, part) }
  }
}

/** The problem of a configured server. Undefined if it answers, even without a list of models. @throws ApiError 403, 422 */
export async function problemOfServer(
  deps: Pick<Deps, 'db' | 'seal' | 'mayConnect'>,
  admin: SessionUser,
  part: ModelPart,
  url: string,
): Promise<ModelProblem | undefined> {
  requireAdmin(admin)
  try {
    const { host, status } = await requestModels(deps, await completeServer(deps, admin, part, { url }))
    const failure = failureOfStatus(host, status)
    return failure && problemOf(failure, part)
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return problemOf(error, part)
  }
}

// Statuses with which a working server answers the request for its models. It need not have a list: Azure's deployments have none.
const WORKING_STATUSES = new Set([200, 400, 404, 405, 501])

/** The failure that a status of the request for the list of models means. Undefined if the server works. */
export function failureOfStatus(host: string, status: number): OutboundFailed | undefined {
  if (WORKING_STATUSES.has(status)) return undefined
  const advice = status === 401 ? ': it does not accept the key' : ' when it was asked for its models'
  return new OutboundFailed(`${host} answered ${status}${advice}`, status)
}

function noListMessage(part: ModelPart, host: string): string {
  if (part === 'reranker')
    return `${host} lists no models at this address: enter the name of the model, or none for Text Embeddings Inference.`
  return `${host} lists no models at this address: enter the name of the model. Most servers want /v1 at the end of the address.`
}

const namesOf = ({ data }: z.infer<typeof ModelList>): ServerModels['data'] =>
  [...new Set(data.map(({ id }) => id))]
    .sort((a, b) => a.localeCompare(b))
    .slice(0, MAX_MODELS)
    .map((id) => ({ id }))

/** Anthropic's list is not part of its compatible protocol: it needs the key in another header, and a version. */
const anthropicHeaders = (host: string, key: string | undefined): Record<string, string> =>
  host === 'api.anthropic.com' && key ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' } : {}

/** The model servers that answer at their usual ports of this machine. @throws ApiError 403 */
export async function listLocalServers(
  deps: Pick<Deps, 'mayConnect'>,
  admin: SessionUser,
  candidates: readonly LocalServer[] = LOCAL_SERVERS,
): Promise<{ data: LocalServer[] }> {
  requireAdmin(admin)
  const answers = await Promise.all(
    candidates.map(async (server) => ((await isModelServer(deps, server.url)) ? [server] : [])),
  )
  return { data: answers.flat() }
}

/** Other programs may use these ports, so a model server is recognised by its list of models. */
async function isModelServer(deps: Pick<Deps, 'mayConnect'>, url: string): Promise<boolean> {
  try {
    const { models } = await requestModels(deps, { part: 'language', url, key: undefined }, LOCAL_TIMEOUT_MS)
    return models !== undefined
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error
    return false
  }
}
