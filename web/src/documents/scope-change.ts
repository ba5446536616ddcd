// Adding the selected documents to a scope or removing them, how that is undone, and what a person is told about it.

import type { Output } from '../../../src/client/client.ts'
import { plural, t } from '../language/text.tsx'
import { api } from '../session.ts'

export type ScopeChangeResult = Output<'changeScope'>

interface Target {
  workspace: string
  scope: string
}

export const addToScope = (
  { workspace, scope }: Target,
  ids: readonly string[],
): Promise<ScopeChangeResult> =>
  api.changeScope({ workspace_id: workspace, scope_name: scope, add: [...ids] })

export const removeFromScope = (
  { workspace, scope }: Target,
  ids: readonly string[],
): Promise<ScopeChangeResult> =>
  api.changeScope({ workspace_id: workspace, scope_name: scope, remove: [...ids] })

/** Takes back what the change did, and nothing that others did since. A scope that the change created goes if it is empty again. */
export async function undoScopeChange(
  { workspace, scope }: Target,
  change: ScopeChangeResult,
): Promise<void> {
  const target = { workspace_id: workspace, scope_name: scope }
  await api.changeScope({ ...target, add: change.removed, remove: change.added })
  if (!change.created) return
  const { data } = await api.listScopes({ workspace_id: workspace })
  if (data.find(({ name }) => name === scope)?.document_count === 0) await api.deleteScope(target)
}

export const hasChanged = ({ added, removed }: ScopeChangeResult): boolean =>
  added.length + removed.length > 0

/** Sentences about what became of each selected document. */
export function changeText(
  action: 'add' | 'remove',
  scope: string,
  count: number,
  { added, removed, unknown, in_folders }: ScopeChangeResult,
): string {
  const documents = (number: number): string => plural(number, 'document')
  const sentences =
    action === 'add'
      ? [
          added.length > 0 &&
            t('{documents} added to “{scope}”.', { documents: documents(added.length), scope }),
          count > added.length + unknown.length &&
            t('{documents} already in “{scope}”.', {
              documents: documents(count - added.length - unknown.length),
              scope,
            }),
        ]
      : [
          removed.length > 0 &&
            t('{documents} removed from “{scope}”.', { documents: documents(removed.length), scope }),
          in_folders.length > 0 &&
            t('{documents} still in “{scope}”, by a folder of the scope.', {
              documents: documents(in_folders.length),
              scope,
            }),
          removed.length + in_folders.length === 0 && t('None of them was in “{scope}”.', { scope }),
        ]
  const isMissing =
    unknown.length > 0 && t('{documents} not found any more.', { documents: documents(unknown.length) })
  return [...sentences, isMissing].filter((sentence) => sentence !== false).join(' ')
}
