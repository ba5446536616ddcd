// Automatic merges of the keys that belong to one person, according to the present evidence and the decisions of people.

import type { Queryable } from '../../ports/db/db.ts'
import type { Deps } from '../../ports/deps.ts'
import {
  endMerge,
  insertMerge,
  lockMerges,
  type Namesake,
  selectDecisions,
  selectNamesakes,
  selectRelated,
  updateRoots,
} from '../merges.sql.ts'
import { entityId, partsOf } from '../names.ts'
import { joinNamesakes } from './namesakes.ts'

// A person in more documents is a public person, whose employers change. All keys with this name are merged.
const MAX_DOCUMENTS_OF_NAME = 50

/** Creates or ends the merges of all keys with the names in `keys`. */
export async function mergeNamesakes(
  deps: Pick<Deps, 'db'>,
  workspaceId: string,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const names = new Set(keys.map((key) => partsOf(key).name))
  for (const name of names) {
    signal.throwIfAborted()
    const changedKeys = keys.filter((key) => key !== name && partsOf(key).name === name)
    await deps.db.tx((tx) => mergeKeysOfName(tx, workspaceId, name, changedKeys))
  }
}

async function mergeKeysOfName(
  tx: Queryable,
  workspaceId: string,
  name: string,
  changedKeys: readonly string[],
): Promise<void> {
  await lockMerges(tx, workspaceId)
  const namesakes = await selectNamesakes(tx, workspaceId, name)
  const mergedKeys = await mergeTargets(tx, workspaceId, name, namesakes)
  // The merge of a key that no document contains any more ends.
  const persons = [...new Set([...changedKeys, ...namesakes.map(({ key }) => key)])].map((key) => ({
    key,
    id: entityId(workspaceId, key),
  }))
  if (persons.length === 0) return
  const ids = persons.map(({ id }) => id)
  const decisions = await selectDecisions(tx, workspaceId, ids)
  let hasChanged = false
  for (const { id, key } of persons) {
    const personDecisions = decisions.filter((row) => row.from_id === id || row.into_id === id)
    const currentMerge = personDecisions.find((row) => row.from_id === id && row.state === 'automatic')
    const into_key = mergedKeys.get(key)
    const into_id = into_key === undefined ? undefined : entityId(workspaceId, into_key)
    const isRejected = personDecisions.some(
      ({ state, ...row }) =>
        state === 'manual' || (state === 'undone' && (row.from_id === into_id || row.into_id === into_id)),
    )
    const target = isRejected ? undefined : into_id
    if (currentMerge?.into_id === target) continue
    hasChanged = true
    if (currentMerge) await endMerge(tx, workspaceId, id, 'lapsed')
    if (target === undefined || into_key === undefined) continue
    const reason = 'nothing that documents say tells them apart'
    await insertMerge(tx, workspaceId, {
      from_id: id,
      from_key: key,
      into_id: target,
      into_key,
      state: 'automatic',
      reason,
    })
  }
  if (hasChanged) await updateRoots(tx, workspaceId)
}

/** The key that each key is merged into. Related documents are read only if employers differ. */
async function mergeTargets(
  tx: Queryable,
  workspaceId: string,
  name: string,
  namesakes: readonly Namesake[],
): Promise<Map<string, string>> {
  const keyById = new Map(namesakes.map(({ id, key }) => [id, key]))
  const keys = [...keyById.values()]
  const allIntoName = new Map(keys.map((key) => [key, name]))
  if (namesakes.reduce((sum, { documents }) => sum + documents, 0) > MAX_DOCUMENTS_OF_NAME) return allIntoName
  const mergedKeys = joinNamesakes(name, keys, [])
  if (keys.every((key) => mergedKeys.get(key) === name)) return mergedKeys
  const relatedIds = await selectRelated(tx, workspaceId, [...keyById.keys()])
  const relatedKeys = relatedIds.map((ids) => ids.map((id) => keyById.get(id) ?? ''))
  return joinNamesakes(name, keys, relatedKeys)
}
