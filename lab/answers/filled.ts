// A service that holds a set: temporary, or in a folder that stays, so that a run that goes on does not index again.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { QuestionSet } from '../../src/eval/answers/questions.ts'
import { openClient } from '../../src/eval/target/client.ts'
import type { Target } from '../../src/eval/target/target.ts'
import { fillService, searchesWith } from '../../src/eval/target/temporary.ts'
import { siblingModule } from '../../src/processes/module.ts'
import { findPassages } from '../../src/search/search.ts'
import { startTemporary, type TemporaryService } from '../../src/temporary.ts'

export type Progress = (phase: string) => (done: number, of: number) => void

/** Where the set's documents are in a service that was filled. */
interface Holding {
  workspaceId: string
  /** Document id of the service, ids of the set. */
  names: [string, readonly string[]][]
}

export interface Filled {
  service: TemporaryService
  workspaceId: string
  /** Ids of the set, by document id of the service. */
  names: ReadonlyMap<string, readonly string[]>
}

/** @param folder where the service is kept, and taken up again when it was filled whole */
export async function openService(
  set: QuestionSet,
  folder: string | undefined,
  onProgress: Progress,
  settings: Record<string, string> = {},
): Promise<Filled> {
  const main = siblingModule('../../src/main', import.meta.url)
  const own = { KENNING_ASK_PER_HOUR: '1000000', ...settings }
  const service = await startTemporary(main, { settings: own, folder })
  try {
    const { workspaceId, names } = await holdingOf(service, set, folder, onProgress)
    return { service, workspaceId, names: new Map(names) }
  } catch (error) {
    await service.stop()
    throw error
  }
}

/** As above, as a target of an evaluation. */
export async function openFilled(
  set: QuestionSet,
  folder: string | undefined,
  onProgress: Progress,
): Promise<Target> {
  const { service, workspaceId, names } = await openService(set, folder, onProgress)
  try {
    const ask = (query: string, limit: number) =>
      findPassages(service.deps, service.caller, workspaceId, { query, limit })
    const workspace = { client: openClient(service.base, service.token), id: workspaceId, names }
    return { description: 'a temporary service', workspace, ...searchesWith(ask, names), close: service.stop }
  } catch (error) {
    await service.stop()
    throw error
  }
}

async function holdingOf(
  service: TemporaryService,
  set: QuestionSet,
  folder: string | undefined,
  onProgress: Progress,
): Promise<Holding> {
  const path = folder === undefined ? undefined : join(folder, 'holding.json')
  const known = path === undefined ? '' : await readFile(path, 'utf8').catch(() => '')
  if (known) return JSON.parse(known) as Holding
  const filling = { documents: set.documents ?? [], onProgress, signal: new AbortController().signal }
  const { workspaceId, names, unread } = await fillService(service, set.name, filling)
  if (unread.length) throw new Error(`${set.name}: ${unread.length} documents were not read`)
  const holding = { workspaceId, names: [...names] }
  if (path !== undefined) await writeFile(path, JSON.stringify(holding))
  return holding
}
