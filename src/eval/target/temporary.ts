// A temporary service filled with a set. Documents are uploaded over HTTP; searches call the search function itself, since
// it returns more than 20 passages.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../ports/deps.ts'
import { findPassages } from '../../search/search.ts'
import { startTemporary, type TemporaryOptions, type TemporaryService } from '../../temporary.ts'
import { openClient } from './client.ts'
import type { FilledTarget, FillOptions, Passage, Target } from './target.ts'
import { countTasks } from './tasks.sql.ts'
import { uploadSet } from './upload.ts'

const API_PASSAGES = 20
// For 100 documents of two passages each. The time grows with the square of this number, since near-duplicates are compared in
// pairs.
const DEEP_PASSAGES = 200
const POLL_MS = 500

/** The search function; benches pass variants of it. */
export type FindPassages = (
  query: string,
  limit: number,
) => Promise<{ document_id: string; text: string; page: number | null }[]>

/** A temporary service filled with the set, once it has no tasks left: statistics, graph and vectors are complete. */
export async function fillTemporary(
  main: URL,
  name: string,
  fillOptions: FillOptions,
  options: TemporaryOptions = {},
): Promise<FilledTarget> {
  const service = await startTemporary(main, options)
  try {
    const { workspaceId, names, unread } = await fillService(service, name, fillOptions)
    const client = openClient(service.base, service.token, fillOptions.signal)
    const search: FindPassages = (query, limit) =>
      findPassages(service.deps, service.caller, workspaceId, { query, limit })
    const workspace = { client, id: workspaceId, names }
    return {
      description: 'a temporary service',
      workspace,
      unread,
      ...searchesWith(search, names),
      close: service.stop,
    }
  } catch (error) {
    await service.stop()
    throw error
  }
}

export async function fillService(service: TemporaryService, name: string, fillOptions: FillOptions) {
  const client = openClient(service.base, service.token, fillOptions.signal)
  const workspace = await client.createWorkspace({ name: name.slice(0, 200) })
  const uploadResult = await uploadSet(client, workspace.id, fillOptions)
  await untilIdle(service.deps, workspace.id, fillOptions)
  return { workspaceId: workspace.id, ...uploadResult }
}

/** Waits until no task is left. That is later than `ready`, since text in pictures inside the documents is then recognised too. */
async function untilIdle(
  deps: Deps,
  workspaceId: string,
  { onProgress, signal }: FillOptions,
): Promise<void> {
  const report = onProgress('graph')
  const initial = await countTasks(deps.db, workspaceId)
  for (let pendingTasks = initial; pendingTasks > 0; pendingTasks = await countTasks(deps.db, workspaceId)) {
    report(Math.max(0, initial - pendingTasks), initial)
    await sleep(POLL_MS, undefined, { signal })
  }
  report(1, 1)
}

export function searchesWith(
  search: FindPassages,
  names: ReadonlyMap<string, readonly string[]>,
): Required<Pick<Target, 'search' | 'searchDeep'>> {
  const passages = async (query: string, limit: number): Promise<Passage[]> =>
    (await search(query, limit)).map(({ document_id, text, page }) => ({
      documents: names.get(document_id) ?? [],
      text,
      page,
    }))
  return {
    search: (query) => passages(query, API_PASSAGES),
    searchDeep: (query) => passages(query, DEEP_PASSAGES),
  }
}
