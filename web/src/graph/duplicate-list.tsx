// Pairs of entities that may be the same. Members who may edit the workspace can merge them, or say that they are not the same.

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { plural, t } from '../language/text.tsx'
import { Button, buttonClass } from '../parts/button.tsx'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { duplicatesQuery, membershipQuery } from '../queries.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { NotTheSame, REASONS } from './names.tsx'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'

type Pair = Output<'listDuplicates'>['data'][number]

export function DuplicateList() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data, error, refetch } = useQuery(duplicatesQuery(workspace))
  const { data: membership } = useQuery(membershipQuery(workspace))
  const [pairToMerge, setPairToMerge] = useState<Pair>()
  const mayEdit = membership !== undefined && membership.role !== 'viewer'
  return (
    <div className="h-full overflow-y-auto">
      <div className="max-w-3xl px-4 pb-6 md:px-6">
        {error && !data && <Problem error={error} retry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={8} />}
        {data?.data.length === 0 && (
          <Empty
            title={t('No two names look alike')}
            action={
              <Link to="/w/$workspace/graph" params={{ workspace }} className={buttonClass()}>
                {t('Themes')}
              </Link>
            }
          >
            {t('Where the same thing has two names, open one of them and merge the other into it.')}
          </Empty>
        )}
        {data && data.data.length > 0 && (
          <>
            <p className="mb-1 text-sm text-soft">
              {plural(
                data.data.length,
                '{count} pair that may be the same, the most certain first.',
                '{count} pairs that may be the same, the most certain first.',
              )}{' '}
              {mayEdit
                ? t('Nothing is merged unless you do it, and you can undo it.')
                : t('Nothing is merged unless an owner or editor does it.')}
            </p>
            <ol aria-label={t('Entities that may be the same')} className="divide-y divide-line text-sm">
              {data.data.map((pair) => (
                <li
                  key={`${pair.entity.id} ${pair.other.id}`}
                  className="flex flex-wrap items-center gap-3 py-2"
                >
                  <span className="grid min-w-64 flex-1 gap-x-6 gap-y-1 sm:grid-cols-2">
                    <Side workspace={workspace} entity={pair.entity} />
                    <Side workspace={workspace} entity={pair.other} />
                    <span className="text-xs text-soft sm:col-span-2">{t(REASONS[pair.reason])}</span>
                  </span>
                  {mayEdit && (
                    <span className="ml-auto flex items-center gap-3">
                      <NotTheSame workspace={workspace} entity={pair.entity} other={pair.other} />
                      <Button
                        aria-label={t('Merge {other} into {entity}', {
                          other: pair.other.name,
                          entity: pair.entity.name,
                        })}
                        onClick={() => setPairToMerge(pair)}
                      >
                        {t('Merge')}
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
      {pairToMerge && (
        <MergeDialog
          workspace={workspace}
          into={pairToMerge.entity}
          preselected={pairToMerge.other}
          close={() => setPairToMerge(undefined)}
        />
      )}
    </div>
  )
}

function Side({ workspace, entity }: { workspace: string; entity: Pair['entity'] }) {
  return (
    <span className="min-w-0">
      <Link
        to="/w/$workspace/graph/$entity"
        params={{ workspace, entity: entity.id }}
        className="block font-medium wrap-anywhere hover:underline"
      >
        {entity.name}
      </Link>
      <span className="flex items-baseline gap-1.5 text-soft">
        <TypeDot type={entity.type} />
        {typeLabel(entity.type)} · {plural(entity.mention_count, 'mention')}
      </span>
    </span>
  )
}
