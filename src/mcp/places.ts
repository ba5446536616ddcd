// Workspaces as tools name them: by id, by name, or not at all, which means every workspace that the caller can read.

import type { Caller } from '../auth/caller.ts'
import { ApiError } from '../errors.ts'
import { fold } from '../language/words.ts'
import type { Deps } from '../ports/deps.ts'
import { type Place, selectHolder, selectPlaces, type Thing } from './places.sql.ts'

export type { Place } from './places.sql.ts'

type McpDeps = Pick<Deps, 'db'>

// Names are matched here, not in SQL, so that upper and lower case are folded as everywhere else.
export const MAX_PLACES = 1000
/** A tool without a workspace reads at most so many, so that one call stays one call. */
export const MAX_SEARCHED = 25
const NAMED_IN_ERRORS = 10

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)

/** The workspaces that the caller can read, oldest first. */
export const readablePlaces = (deps: McpDeps, caller: Caller): Promise<Place[]> =>
  selectPlaces(deps.db, caller.userId, caller.workspaceIds, MAX_PLACES)

/**
 * The workspaces that a call is about.
 * @param idOrName id or name; without one the first `most` that are not empty
 * @throws ApiError 404 that lists the names
 */
export async function placesFor(
  deps: McpDeps,
  caller: Caller,
  idOrName: string | undefined,
  most = MAX_SEARCHED,
): Promise<{ places: Place[]; omitted: number }> {
  const all = await readablePlaces(deps, caller)
  if (idOrName !== undefined) return { places: [oneNamed(all, idOrName)], omitted: 0 }
  const places = all.filter((place) => !place.empty)
  return { places: places.slice(0, most), omitted: Math.max(0, places.length - most) }
}

/** The workspace to write to: the named one, or the only one in which the caller may write. @throws ApiError 404, 422 */
export async function placeToWrite(
  deps: McpDeps,
  caller: Caller,
  idOrName: string | undefined,
): Promise<Place> {
  const all = await readablePlaces(deps, caller)
  if (idOrName !== undefined) return oneNamed(all, idOrName)
  const [place, ...others] = all.filter(({ role }) => role !== 'viewer')
  if (place && others.length === 0) return place
  const message = place
    ? `You can write to several workspaces: ${namesOf([place, ...others])}. Name one in \`workspace\`.`
    : 'There is no workspace that you can write to. Create one first.'
  throw new ApiError(422, 'invalid_request', message)
}

/** The workspace of a document, entity or conversation. @throws ApiError 404 */
export async function placeOf(
  deps: McpDeps,
  caller: Caller,
  thing: Thing,
  id: string,
  idOrName: string | undefined,
): Promise<Place> {
  const all = await readablePlaces(deps, caller)
  const among = idOrName === undefined ? all : [oneNamed(all, idOrName)]
  const ids = among.map((place) => place.id)
  const holder = isUuid(id) ? await selectHolder(deps.db, thing, id, ids) : undefined
  const place = among.find((one) => one.id === holder)
  if (place) return place
  const where = idOrName === undefined ? 'that you can read' : `in the workspace ${quoted(idOrName)}`
  throw new ApiError(
    404,
    'not_found',
    `There is no ${nouns[thing]} ${quoted(id)} ${where}. ${howToFind[thing]}`,
  )
}

const nouns: Record<Thing, string> = { document: 'document', entity: 'entity', thread: 'conversation' }

const howToFind: Record<Thing, string> = {
  document: 'Use an id that search, search_passages or list_documents returned.',
  entity: 'Use find_entities to get its id.',
  thread: 'Leave thread_id out to start a new conversation.',
}

function oneNamed(all: readonly Place[], idOrName: string): Place {
  const key = fold(idOrName.trim())
  const byId = all.find(({ id }) => id === key)
  if (byId) return byId
  const [place, ...others] = all.filter(({ name }) => fold(name.trim()) === key)
  if (place && others.length === 0) return place
  if (place) {
    const ids = [place, ...others].map(({ id }) => id).slice(0, NAMED_IN_ERRORS)
    const message = `Several workspaces are called ${quoted(idOrName)}. Give the id of one: ${ids.join(', ')}.`
    throw new ApiError(422, 'invalid_request', message)
  }
  const yours = all.length ? `Yours are ${namesOf(all)}.` : 'You have none yet.'
  throw new ApiError(
    404,
    'not_found',
    `There is no workspace ${quoted(idOrName)} that you can read. ${yours}`,
  )
}

const quoted = (text: string): string => `"${text.slice(0, 100)}"`

function namesOf(places: readonly Place[]): string {
  const names = places.slice(0, NAMED_IN_ERRORS).map(({ name }) => quoted(name))
  const more = places.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more (list_workspaces)` : '')
}
