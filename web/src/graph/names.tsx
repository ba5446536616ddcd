// The names that were merged into this entity, those that may be merged, and those that were separated. Members who may edit the
// workspace can merge and undo.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import { useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { plural } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { membershipQuery, mergeCandidatesQuery, mergesQuery } from '../queries.ts'
import { type MergeCandidate, MergeDialog } from './merge-dialog.tsx'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'
import { useMerging } from './use-merging.ts'

type Candidate = Output<'listMergeCandidates'>['data'][number]

export const REASONS: Record<Candidate['reason'], string> = {
  short_form: 'a document explains it as a short form',
  spelling: 'spelt almost the same',
  initials: 'initials of the same words',
  part: 'part of the same name',
}

interface Props {
  workspace: string
  about: Output<'getEntity'>['entity']
}

export function Names({ workspace, about }: Props) {
  const { data: membership } = useQuery(membershipQuery(workspace))
  const { data: merges } = useQuery(mergesQuery(workspace, about.id))
  const { data: candidates } = useQuery(mergeCandidatesQuery(workspace, about.id))
  const { undo } = useMerging(workspace, about)
  // `null` opens the dialog without an entity, so that one is chosen there.
  const [mergeTarget, setMergeTarget] = useState<MergeCandidate | null>()
  const mayEdit = membership !== undefined && membership.role !== 'viewer'
  const activeMerges = merges?.data.filter(({ state }) => state !== 'undone') ?? []
  const undoneMerges = merges?.data.filter(({ state }) => state === 'undone') ?? []
  const possibleMerges = candidates?.data ?? []
  if (!mayEdit && activeMerges.length + undoneMerges.length + possibleMerges.length === 0) return null
  const otherOf = (merge: (typeof undoneMerges)[number]): string =>
    merge.entity_id === about.id ? merge.into_id : merge.entity_id
  return (
    <section aria-label="Names" className="mt-6">
      <div className="mb-1 flex items-center gap-2">
        <h3 className="mr-auto text-sm font-semibold">Names</h3>
        {mayEdit && (
          <Button onClick={() => setMergeTarget(null)}>
            <Merge size={14} aria-hidden /> Merge another entity
          </Button>
        )}
      </div>
      {activeMerges.length > 0 && (
        <ul aria-label="Merged names" className="divide-y divide-line text-sm">
          {activeMerges.map((merge) => (
            <li key={merge.entity_id} className="flex min-h-10 items-center gap-3 py-1.5">
              <span className={rowClass}>
                <span className="font-medium">{merge.name}</span>
                <span className="text-soft">counts as this entity: {merge.reason}</span>
              </span>
              {mayEdit && (
                <Button
                  kind="quiet"
                  className="ml-auto"
                  aria-label={`Undo the merge of ${merge.name}`}
                  disabled={undo.isPending}
                  onClick={() => undo.mutate({ id: merge.entity_id, name: merge.name })}
                >
                  Undo
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {possibleMerges.length > 0 && (
        <>
          <h4 className="mt-3 text-xs font-medium text-soft">May be the same</h4>
          <ul aria-label="Merge candidates" className="divide-y divide-line text-sm">
            {possibleMerges.map(({ entity, reason }) => (
              <li key={entity.id} className="flex min-h-10 items-center gap-3 py-1.5">
                <span className={rowClass}>
                  <Link
                    to="/w/$workspace/graph/$entity"
                    params={{ workspace, entity: entity.id }}
                    className="font-medium hover:underline"
                  >
                    {entity.name}
                  </Link>
                  <span className="flex items-center gap-1.5 text-soft">
                    <TypeDot type={entity.type} />
                    {typeLabel(entity.type)} · {plural(entity.mention_count, 'mention')} · {REASONS[reason]}
                  </span>
                </span>
                {mayEdit && (
                  <>
                    <NotTheSame workspace={workspace} entity={about} other={entity} />
                    <Button
                      kind="quiet"
                      aria-label={`Merge ${entity.name}`}
                      onClick={() => setMergeTarget(entity)}
                    >
                      Merge
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {undoneMerges.length > 0 && (
        <>
          <h4 className="mt-3 text-xs font-medium text-soft">Kept apart</h4>
          <ul aria-label="Kept apart" className="divide-y divide-line text-sm">
            {undoneMerges.map((merge) => (
              <li key={otherOf(merge)} className="flex min-h-10 items-center gap-3 py-1.5">
                <span className={rowClass}>
                  <Link
                    to="/w/$workspace/graph/$entity"
                    params={{ workspace, entity: otherOf(merge) }}
                    className="font-medium hover:underline"
                  >
                    {merge.entity_id === about.id ? 'the other entity' : merge.name}
                  </Link>
                  <span className="text-soft">
                    is not the same, somebody said; it is not merged automatically
                  </span>
                </span>
                {mayEdit && merge.entity_id !== about.id && (
                  <Button
                    kind="quiet"
                    className="ml-auto"
                    aria-label={`Merge again: ${merge.name}`}
                    onClick={() => setMergeTarget({ id: merge.entity_id, name: merge.name })}
                  >
                    Merge again
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {activeMerges.length + possibleMerges.length + undoneMerges.length === 0 && (
        <p className="text-sm text-soft">No other name counts as this entity, and none looks like it.</p>
      )}
      {mergeTarget !== undefined && (
        <MergeDialog
          workspace={workspace}
          into={about}
          preselected={mergeTarget ?? undefined}
          close={() => setMergeTarget(undefined)}
        />
      )}
    </section>
  )
}

const rowClass = 'flex min-w-0 flex-1 flex-col'

interface NotTheSameProps {
  workspace: string
  entity: { id: string; name: string }
  other: { id: string; name: string }
}

/** The button by which a person decides that two entities are not the same. */
export function NotTheSame({ workspace, entity, other }: NotTheSameProps) {
  const { keepApart } = useMerging(workspace, entity)
  return (
    <Button
      kind="quiet"
      className="ml-auto"
      aria-label={`${other.name} and ${entity.name} are not the same`}
      disabled={keepApart.isPending}
      onClick={() => keepApart.mutate(other)}
    >
      Not the same
    </Button>
  )
}
