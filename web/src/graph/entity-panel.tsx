// An entity beside the graph. A click on a related entity opens that one.

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t } from '../language/text.tsx'
import { SidePanel } from '../parts/side-panel.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { entityQuery } from '../queries.ts'
import { About, Passages, Relations } from './entity-parts.tsx'

const RELATIONS_SHOWN = 8

export function EntityPanel({
  workspace,
  entity,
  close,
}: {
  workspace: string
  entity: string
  close: () => void
}) {
  const { data, error, refetch } = useQuery(entityQuery(workspace, entity))
  return (
    <SidePanel label={t('Entity')} heading={data?.entity.name ?? ' '} openId="entity" close={close}>
      {error && !data && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && (
        <>
          <About workspace={workspace} about={data.entity} />
          <p className="mb-4 flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <Link
              to="/w/$workspace/graph/$entity"
              params={{ workspace, entity }}
              className="text-accent underline"
            >
              {t('Neighbourhood')}
            </Link>
            <Link
              to="/w/$workspace/graph/$entity"
              params={{ workspace, entity }}
              hash="connection"
              className="text-accent underline"
            >
              {t('How is it connected?')}
            </Link>
            <Link
              to="/w/$workspace/graph/$entity"
              params={{ workspace, entity }}
              className="text-accent underline"
            >
              {t('Names and merges')}
            </Link>
            <Link
              to="/w/$workspace/search"
              params={{ workspace }}
              search={{ q: data.entity.name, entity }}
              className="text-accent underline"
            >
              {t('Search its passages')}
            </Link>
          </p>
          <h3 className="mb-1 text-sm font-semibold">{t('Relations')}</h3>
          <Relations
            workspace={workspace}
            neighbourhood={data}
            maxShown={RELATIONS_SHOWN}
            link={(other) => (
              <Link
                to="/w/$workspace/graph"
                params={{ workspace }}
                search={(search) => ({ ...search, entity: other.id })}
                activeProps={{}}
                className="font-medium hover:underline"
              >
                {other.name}
              </Link>
            )}
          />
          <h3 className="mt-6 mb-1 text-sm font-semibold">{t('Passages')}</h3>
          <Passages workspace={workspace} entity={entity} />
        </>
      )}
    </SidePanel>
  )
}
