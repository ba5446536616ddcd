// The names that were merged into this entity, those that may be merged, and those that were separated. Members who may edit the
// workspace can merge and undo.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import { useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { membershipQuery, mergeCandidatesQuery, mergesQuery } from '../queries.ts'
import { type MergeCandidate, MergeDialog } from './merge-dialog.tsx'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'
import { useMerging } from './use-merging.ts'

type Candidate = Output<'listMergeCandidates'>['data'][number]

export const REASONS: Record<Candidate['reason'], string> = {
  short_form: message('a document explains it as a short form'),
  spelling: message('spelt almost the same'),
  initials: message('initials of the same words'),
  part: message('part of the same name'),
}

/** The reasons for a merge that the service gives in English. Those that name a short form stay as they are. */
const MERGE_REASONS: ReadonlyMap<string, string> = new Map([
  ['merged by hand', message('merged by hand')],
  ['nothing that documents say tells them apart', message('nothing that documents say tells them apart')],
])

/** A reason from an imported archive may be any text, so only the known ones are translated. */
function reasonText(reason: string): string {
  const englishMessage = MERGE_REASONS.get(reason)
  return englishMessage === undefined ? reason : t(englishMessage)
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
    <section aria-label={t('Names')} className="mt-6">
      <div className="mb-1 flex items-center gap-2">
        <h3 className="mr-auto text-sm font-semibold">{t('Names')}</h3>
        {mayEdit && (
          <Button onClick={() => setMergeTarget(null)}>
            <Merge size={14} aria-hidden /> {t('Merge another entity')}
          </Button>
        )}
      </div>
      {activeMerges.length > 0 && (
        <ul aria-label={t('Merged names')} className="divide-y divide-line text-sm">
          {activeMerges.map((merge) => (
            <li key={merge.entity_id} className="flex min-h-10 flex-wrap items-center gap-x-3 py-1.5">
              <span className={rowClass}>
                <span className="font-medium">{merge.name}</span>
                <span className="text-soft">
                  {t('counts as this entity: {reason}', {
                    reason: reasonText(merge.reason),
                  })}
                </span>
              </span>
              {mayEdit && (
                <Button
                  kind="quiet"
                  className="ml-auto"
                  aria-label={t('Undo the merge of {name}', { name: merge.name })}
                  disabled={undo.isPending}
                  onClick={() => undo.mutate({ id: merge.entity_id, name: merge.name })}
                >
                  {t('Undo')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {possibleMerges.length > 0 && (
        <>
          <h4 className="mt-3 text-xs font-medium text-soft">{t('May be the same')}</h4>
          <ul aria-label={t('Merge candidates')} className="divide-y divide-line text-sm">
            {possibleMerges.map(({ entity, reason }) => (
              <li key={entity.id} className="flex min-h-10 flex-wrap items-center gap-x-3 py-1.5">
                <span className={rowClass}>
                  <Link
                    to="/w/$workspace/graph/$entity"
                    params={{ workspace, entity: entity.id }}
                    className="font-medium hover:underline"
                  >
                    {entity.name}
                  </Link>
                  <span className="flex items-baseline gap-1.5 text-soft">
                    <TypeDot type={entity.type} />
                    {typeLabel(entity.type)} · {plural(entity.mention_count, 'mention')} ·{' '}
                    {t(REASONS[reason])}
                  </span>
                </span>
                {mayEdit && (
                  <span className="ml-auto flex gap-3">
                    <NotTheSame workspace={workspace} entity={about} other={entity} />
                    <Button
                      kind="quiet"
                      aria-label={t('Merge {name}', { name: entity.name })}
                      onClick={() => setMergeTarget(entity)}
                    >
                      {t('Merge')}
                    </Button>
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {undoneMerges.length > 0 && (
        <>
          <h4 className="mt-3 text-xs font-medium text-soft">{t('Kept apart')}</h4>
          <ul aria-label={t('Kept apart')} className="divide-y divide-line text-sm">
            {undoneMerges.map((merge) => (
              <li key={otherOf(merge)} className="flex min-h-10 flex-wrap items-center gap-x-3 py-1.5">
                <span className={rowClass}>
                  <Link
                    to="/w/$workspace/graph/$entity"
                    params={{ workspace, entity: otherOf(merge) }}
                    className="font-medium hover:underline"
                  >
                    {merge.entity_id === about.id ? t('the other entity') : merge.name}
                  </Link>
                  <span className="text-soft">
                    {t('is not the same, somebody said; it is not merged automatically')}
                  </span>
                </span>
                {mayEdit && merge.entity_id !== about.id && (
                  <Button
                    kind="quiet"
                    className="ml-auto"
                    aria-label={t('Merge again: {name}', { name: merge.name })}
                    onClick={() => setMergeTarget({ id: merge.entity_id, name: merge.name })}
                  >
                    {t('Merge again')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {activeMerges.length + possibleMerges.length + undoneMerges.length === 0 && (
        <p className="text-sm text-soft">
          {t('No other name counts as this entity, and none looks like it.')}
        </p>
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

const rowClass = 'flex min-w-56 flex-1 flex-col wrap-anywhere'

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
      aria-label={t('{other} and {entity} are not the same', { other: other.name, entity: entity.name })}
      disabled={keepApart.isPending}
      onClick={() => keepApart.mutate(other)}
    >
      {t('Not the same')}
    </Button>
  )
}
