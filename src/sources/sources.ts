// Sources of a workspace over the API. Owners manage them, and editors see them. The worker runs them (run.ts).

import { randomUUID } from 'node:crypto'
import { isAbsolute, resolve } from 'node:path'
import { record } from '../audit/activity.sql.ts'
import { type Action, actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import { type PageQuery, readPage } from '../auth/cursor.ts'
import type { Page } from '../contract/resources.ts'
import type {
  Source,
  SourceCreate,
  SourceCredentials,
  SourceDetails,
  SourcePlaces,
  SourceRun,
  SourceUpdate,
} from '../contract/sources.ts'
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { problemOf } from '../sync/glob.ts'
import { isAllowed, isBelowFolder, isBelowRemote, isForWorkspace, sealPurpose } from './open.ts'
import {
  cancelRun,
  countSources,
  deleteSourceRow,
  insertSource,
  type ListedSourceRow,
  markRemoving,
  queueRun,
  type SourceChange,
  type SourcePosition,
  selectRefused,
  selectSource,
  selectSources,
  updateSourceRow,
} from './sources.sql.ts'

type DbDeps = Pick<Deps, 'db'>

const MAX_SOURCES = 50
const MAX_REFUSED = 100

/** A page of the sources, oldest first. @throws ApiError 404, 403 for viewers */
export async function listSources(
  deps: Pick<Deps, 'db' | 'cursorKey'>,
  caller: Caller,
  workspaceId: string,
  query: PageQuery,
): Promise<Page<Source>> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const { rows, ...next } = await readPage(deps, {
    binding: ['sources', workspaceId, principal(caller)],
    page: query,
    select: (after: SourcePosition | undefined, limit) =>
      selectSources(deps.db, workspaceId, { after, limit }),
    positionOf: (row) => ({ at: row.position, id: row.id }),
  })
  return { data: rows.map(toSource), ...next }
}

/** @throws ApiError 404, 403 */
export async function getSource(
  deps: DbDeps,
  caller: Caller,
  workspaceId: string,
  sourceId: string,
): Promise<SourceDetails> {
  await requireWorkspace(deps, caller, workspaceId, 'edit')
  const source = await loadSource(deps, workspaceId, sourceId)
  return { ...source, refused: await selectRefused(deps.db, workspaceId, sourceId, MAX_REFUSED) }
}

/** The places that the operator allows this workspace to read. @throws ApiError 404, 403 unless the caller is an owner */
export async function getSourcePlaces(
  deps: Pick<Deps, 'db' | 'settings'>,
  caller: Caller,
  workspaceId: string,
): Promise<SourcePlaces> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const { folders, remotes } = deps.settings.sources
  const allowedHere = (locations: typeof folders): string[] =>
    locations.filter((source) => isForWorkspace(source, workspaceId)).map(({ location }) => location)
  return { folders: allowedHere(folders), remotes: allowedHere(remotes) }
}

/** The new source runs at once, and then on its schedule. @throws ApiError 404, 403, 422 */
export async function createSource(
  deps: Pick<Deps, 'db' | 'settings' | 'seal'>,
  caller: Caller,
  workspaceId: string,
  body: SourceCreate,
): Promise<Source> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const addresses = validateAddresses(deps.settings, workspaceId, body)
  requirePatterns(body)
  const id = randomUUID()
  const credentials = sealCredentials(deps, workspaceId, id, body.credentials ?? undefined)
  await deps.db.tx(async (tx) => {
    if ((await countSources(tx, workspaceId)) >= MAX_SOURCES)
      throw invalid(['body'], `A workspace has at most ${MAX_SOURCES} sources`, 'too_long')
    await insertSource(tx, workspaceId, {
      id,
      name: body.name ?? nameOf(body.kind, addresses),
      kind: body.kind,
      addresses,
      branch: body.branch || null,
      into_folder: body.into.replaceAll('\\', '/').replace(/^\/+|\/+$/g, ''),
      include: body.include,
      exclude: body.exclude,
      credentials: credentials ?? null,
      every_minutes: body.every_minutes,
      acts_as: caller.userId,
    })
    await queueRun(tx, workspaceId, { source_id: id })
    await recordSourceAction(tx, caller, workspaceId, { action: 'source_added', subject: id })
  })
  return loadSource(deps, workspaceId, id)
}

/** Changes the source, which from then on runs on behalf of the caller. @throws ApiError 404, 403, 422 */
export async function updateSource(
  deps: Pick<Deps, 'db' | 'seal'>,
  caller: Caller,
  { workspaceId, sourceId }: { workspaceId: string; sourceId: string },
  body: SourceUpdate,
): Promise<Source> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  requirePatterns(body)
  const current = await selectSource(deps.db, workspaceId, sourceId)
  if (!current) throw notFound()
  if (body.credentials) requireCredentialsAllowed(current.kind)
  const { credentials: credentialsInput, ...rest } = body
  const credentials =
    credentialsInput === undefined
      ? {}
      : { credentials: sealCredentials(deps, workspaceId, sourceId, credentialsInput ?? undefined) ?? null }
  const change = Object.fromEntries(
    Object.entries({ ...rest, ...credentials }).filter(([, value]) => value !== undefined),
  ) as SourceChange
  if (Object.keys(change).length > 0) {
    await deps.db.tx(async (tx) => {
      if (!(await updateSourceRow(tx, { workspaceId, id: sourceId }, change, caller.userId))) throw notFound()
      if (change.paused) await cancelRun(tx, workspaceId, sourceId)
      await recordSourceAction(tx, caller, workspaceId, { action: 'source_changed', subject: sourceId })
    })
  }
  return loadSource(deps, workspaceId, sourceId)
}

/** @throws ApiError 404, 403 */
export async function runSourceNow(
  deps: DbDeps,
  caller: Caller,
  { workspaceId, sourceId }: { workspaceId: string; sourceId: string },
  body: SourceRun,
): Promise<Source> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  const source = await selectSource(deps.db, workspaceId, sourceId)
  if (!source || source.removing) throw notFound()
  await queueRun(deps.db, workspaceId, {
    source_id: sourceId,
    ...(body.allow_empty ? { allow_empty: true } : {}),
    ...(body.retry ? { retry: true } : {}),
  })
  return loadSource(deps, workspaceId, sourceId)
}

/**
 * Deletes the source. If its documents are deleted too, the source exists until the worker has deleted them. Documents that
 * somebody has changed are not deleted.
 * @throws ApiError 404, also for a source that is already being removed; 403
 */
export async function deleteSource(
  deps: DbDeps,
  caller: Caller,
  { workspaceId, sourceId }: { workspaceId: string; sourceId: string },
  documents: 'keep' | 'delete',
): Promise<void> {
  await requireWorkspace(deps, caller, workspaceId, 'own')
  await deps.db.tx(async (tx) => {
    const isPresent =
      documents === 'delete'
        ? await markRemoving(tx, workspaceId, sourceId, caller.userId)
        : await deleteSourceRow(tx, workspaceId, sourceId)
    if (!isPresent) throw notFound()
    await cancelRun(tx, workspaceId, sourceId)
    if (documents === 'delete') await queueRun(tx, workspaceId, { source_id: sourceId })
    await recordSourceAction(tx, caller, workspaceId, {
      action: 'source_removed',
      subject: sourceId,
      detail: { documents },
    })
  })
}

const recordSourceAction = (
  tx: Queryable,
  caller: Caller,
  workspaceId: string,
  act: { action: Extract<Action, `source_${string}`>; subject: string; detail?: Record<string, string> },
): Promise<void> => record(tx, { detail: {}, ...act, actor: actorOf(caller), workspaceIds: [workspaceId] })

async function loadSource(deps: DbDeps, workspaceId: string, sourceId: string): Promise<Source> {
  const row = await selectSource(deps.db, workspaceId, sourceId)
  if (!row) throw notFound()
  return toSource(row)
}

const toSource = (row: ListedSourceRow): Source => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  addresses: row.addresses,
  branch: row.branch,
  into: row.into_folder,
  include: row.include,
  exclude: row.exclude,
  every_minutes: row.every_minutes,
  paused: row.paused,
  has_credentials: row.credentials !== null,
  state: stateOf(row),
  created_at: row.created_at.toISOString(),
  last_run_at: row.last_run_at?.toISOString() ?? null,
  last_success_at: row.last_success_at?.toISOString() ?? null,
  next_run_at: (row.paused ? null : row.next_run_at)?.toISOString() ?? null,
  error: row.error,
  documents: row.documents,
  counts: row.counts,
})

function stateOf(row: ListedSourceRow): Source['state'] {
  if (row.removing) return 'removing'
  if (row.is_running) return 'running'
  if (row.is_queued) return 'queued'
  if (row.paused) return 'paused'
  return row.error === null ? 'waiting' : 'failed'
}

const sealCredentials = (
  { seal }: Pick<Deps, 'seal'>,
  workspaceId: string,
  id: string,
  credentials: SourceCredentials | undefined,
): Buffer | undefined => credentials && seal.close(JSON.stringify(credentials), sealPurpose(workspaceId, id))

/** @throws ApiError 422 */
function requireCredentialsAllowed(kind: Source['kind']): void {
  if (kind === 'web' || kind === 'git') return
  const reason =
    'Folders and remotes take no credentials: those of a remote are in the configuration of rclone'
  throw invalid(['body', 'credentials'], reason)
}

/** @throws ApiError 422 for a pattern that no run could use */
function requirePatterns(body: Pick<SourceUpdate, 'include' | 'exclude'>): void {
  for (const field of ['include', 'exclude'] as const) {
    for (const [index, pattern] of (body[field] ?? []).entries()) {
      const problem = problemOf(pattern)
      if (problem !== undefined)
        throw invalid(['body', field, String(index)], `It cannot be used: ${problem}`, 'value_error', pattern)
    }
  }
}

/** The addresses in the form in which they are stored. @throws ApiError 422 */
function validateAddresses(
  { sources }: Pick<Deps['settings'], 'sources'>,
  workspaceId: string,
  { kind, addresses, credentials, branch }: SourceCreate,
): string[] {
  if (credentials) requireCredentialsAllowed(kind)
  if (branch && kind !== 'git') throw invalid(['body', 'branch'], 'Only a git repository has branches')
  if (kind !== 'web' && addresses.length > 1)
    throw invalid(['body', 'addresses'], 'A source of this kind has one address', 'too_long')
  return addresses.map((address, index) => {
    const loc = ['body', 'addresses', String(index)]
    if (kind === 'web' || kind === 'git') return webAddress(address, loc)
    if (isLocationAllowed(sources, workspaceId, kind, address))
      return kind === 'folder' ? resolve(address) : address
    throw invalid(loc, notAllowedMessage(kind), 'value_error', address)
  })
}

function isLocationAllowed(
  { folders, remotes }: Deps['settings']['sources'],
  workspaceId: string,
  kind: 'folder' | 'remote',
  address: string,
): boolean {
  const isFolder = kind === 'folder'
  const isBelow = (location: string): boolean =>
    isFolder
      ? isAbsolute(address) && isBelowFolder(resolve(address), resolve(location))
      : isBelowRemote(address, location)
  return isAllowed(isFolder ? folders : remotes, workspaceId, isBelow)
}

const notAllowedMessage = (kind: 'folder' | 'remote'): string => {
  const setting = kind === 'folder' ? 'KENNING_SOURCE_FOLDERS' : 'KENNING_SOURCE_REMOTES'
  return `It is not among the places that the operator of this service allows (${setting})`
}

/**
 * Why a source of an imported archive may not be added, by the checks of `createSource`. Undefined if it may.
 * `isLocationForbidden`: the source is valid, but the operator of this service does not allow its location.
 */
export function refusalOfSource(
  { sources }: Pick<Deps['settings'], 'sources'>,
  workspaceId: string,
  { number, ...body }: SourceCreate & { number: number },
): { message: string; isLocationForbidden: boolean } | undefined {
  if (number > MAX_SOURCES)
    return { message: `A workspace has at most ${MAX_SOURCES} sources`, isLocationForbidden: false }
  const { kind, addresses } = body
  try {
    validateAddresses({ sources }, workspaceId, body)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const hasValidForm = addresses.length === 1 && !body.branch
    const isLocationForbidden =
      (kind === 'folder' || kind === 'remote') &&
      hasValidForm &&
      !isLocationAllowed(sources, workspaceId, kind, addresses[0] ?? '')
    return { message: isLocationForbidden ? notAllowedMessage(kind) : reasonOf(error), isLocationForbidden }
  }
}

const reasonOf = ({ message, extras: { detail } }: ApiError): string => detail?.[0]?.msg ?? message

/** @throws ApiError 422 */
function webAddress(address: string, loc: string[]): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid(
      loc,
      'It must be a web address, such as https://example.org/handbook',
      'value_error',
      address,
    )
  if (url.username || url.password)
    throw invalid(loc, 'An address is shown to others: send name and password as credentials', 'value_error')
  url.hash = ''
  return url.href
}

const MAX_NAME_LENGTH = 120
// Enough characters for ` and 50 more`.
const SUFFIX_LENGTH = 20

function nameOf(kind: Source['kind'], [firstAddress = '', ...otherAddresses]: readonly string[]): string {
  const shortName = firstAddress
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
  const name =
    kind === 'folder' ? (firstAddress.split('/').filter(Boolean).at(-1) ?? firstAddress) : shortName
  return `${name.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH)}${otherAddresses.length > 0 ? ` and ${otherAddresses.length} more` : ''}`
}
