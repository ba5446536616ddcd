// The graph: what the documents are about, as a ranked list, a drawing or a table. The address contains the view and the entity
// that is open beside it.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { message, t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'
import { toolInputClass } from '../parts/field.tsx'
import { formatCount } from '../parts/format.ts'
import { loadWithRetries } from '../parts/patiently.ts'
import { Empty, PageSkeleton, Problem, Skeleton } from '../parts/states.tsx'
import { useTypedText } from '../parts/use-typed-text.ts'
import { type Graph, graphQuery, themesQuery } from '../queries.ts'
import { DEFAULT_SIZE, MAX_NODES, SIZES, VIEWS } from './address.ts'
import { DuplicateList } from './duplicate-list.tsx'
import { EntityPanel } from './entity-panel.tsx'
import { EntityTable } from './entity-table.tsx'
import { ThemeList } from './theme-list.tsx'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'

// Sigma, which draws the canvas, is loaded only for this view.
const GraphCanvas = lazy(() =>
  loadWithRetries(() => import('./graph-canvas.tsx')).then((module) => ({ default: module.GraphCanvas })),
)

const VIEW_NAMES = {
  themes: message('Themes'),
  canvas: message('Canvas'),
  table: message('Table'),
  duplicates: message('Duplicates'),
}
const HINTS = {
  themes: message('Find a person, organization, place, term'),
  canvas: message('Mark entities by name'),
  table: message('Filter by name'),
}

export function GraphPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { view = 'themes', entity, size = DEFAULT_SIZE } = useSearch({ from: '/w/$workspace/graph' })
  const navigate = useNavigate({ from: '/w/$workspace/graph' })
  const { data: themes } = useQuery(themesQuery(workspace))
  const open = (id: string | undefined): void =>
    void navigate({
      search: ({ entity: _, ...rest }) => (id === undefined ? rest : { ...rest, entity: id }),
      replace: entity !== undefined && id !== undefined,
    })
  const isEmpty = themes?.total_entities === 0
  return (
    <div className="flex h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="shrink-0 px-4 pt-4 md:px-6">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <ViewSwitch />
            {view !== 'duplicates' && <Find view={view} />}
            {view === 'canvas' && <SizeChoice total={themes?.total_entities ?? 0} />}
          </div>
          {view !== 'duplicates' && themes && themes.types.length > 0 && <TypeFilter themes={themes} />}
        </div>
        <div className="mt-3 min-h-0 flex-1">
          {isEmpty ? (
            <Empty
              title={t('Nothing in the graph yet')}
              action={
                <Link to="/w/$workspace/documents" params={{ workspace }} className={buttonClass()}>
                  {t('To the documents')}
                </Link>
              }
            >
              {t('People, organizations, places and terms appear here once documents are read.')}
            </Empty>
          ) : view === 'duplicates' ? (
            <DuplicateList />
          ) : view === 'canvas' ? (
            <WithGraph limit={Math.min(size, MAX_NODES)}>
              {(graph) => (
                <Suspense fallback={<PageSkeleton />}>
                  <GraphCanvas graph={graph} open={open} />
                </Suspense>
              )}
            </WithGraph>
          ) : view === 'table' ? (
            <WithGraph limit={MAX_NODES}>
              {(graph) => <EntityTable graph={graph} total={themes?.total_entities ?? graph.nodes.length} />}
            </WithGraph>
          ) : (
            <ThemeList />
          )}
        </div>
      </div>
      {entity && (
        <EntityPanel key={entity} workspace={workspace} entity={entity} close={() => open(undefined)} />
      )}
    </div>
  )
}

function WithGraph({ limit, children }: { limit: number; children: (graph: Graph) => ReactNode }) {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { data, error, refetch } = useQuery(graphQuery(workspace, limit))
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <div className="px-4 md:px-6">
        <Skeleton lines={10} />
      </div>
    )
  return children(data)
}

function ViewSwitch() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { view: activeView = 'themes' } = useSearch({ from: '/w/$workspace/graph' })
  return (
    <nav
      aria-label={t('Views of the graph')}
      className="flex rounded-md border border-line bg-back p-0.5 text-sm"
    >
      {VIEWS.map((view) => (
        <Link
          key={view}
          to="/w/$workspace/graph"
          params={{ workspace }}
          search={({ view: _, ...rest }) => (view === 'themes' ? rest : { ...rest, view })}
          activeProps={{}}
          aria-current={view === activeView ? 'page' : undefined}
          className={`rounded px-2.5 py-1 ${view === activeView ? 'bg-raised font-medium shadow-sm' : 'text-soft hover:text-ink'}`}
        >
          {t(VIEW_NAMES[view])}
        </Link>
      ))}
    </nav>
  )
}

function Find({ view }: { view: keyof typeof HINTS }) {
  const { q } = useSearch({ from: '/w/$workspace/graph' })
  const navigate = useNavigate({ from: '/w/$workspace/graph' })
  const { field, typedText, setTypedText } = useTypedText(
    q ?? '',
    (text) =>
      void navigate({
        search: ({ q: _, ...rest }) => (text ? { ...rest, q: text } : rest),
        replace: true,
      }),
  )
  return (
    <input
      ref={field}
      type="search"
      aria-label={t('Find an entity')}
      placeholder={t(HINTS[view])}
      value={typedText}
      maxLength={200}
      onChange={(event) => setTypedText(event.target.value)}
      className={`${toolInputClass} min-w-48 flex-1 sm:max-w-96`}
    />
  )
}

function SizeChoice({ total }: { total: number }) {
  const { size = DEFAULT_SIZE } = useSearch({ from: '/w/$workspace/graph' })
  const navigate = useNavigate({ from: '/w/$workspace/graph' })
  const sizes = SIZES.filter((_, i) => i === 0 || total > (SIZES[i - 1] ?? 0))
  if (sizes.length < 2) return null
  return (
    <label className="flex items-center gap-2 text-sm">
      <span className="text-soft">{t('Draw')}</span>
      <select
        value={sizes.findLast((one) => one <= size) ?? sizes[0]}
        onChange={({ target }) =>
          void navigate({ search: (search) => ({ ...search, size: Number(target.value) }), replace: true })
        }
        className="rounded-md border border-line bg-paper px-2 py-1"
      >
        {sizes.map((option) => (
          <option key={option} value={option}>
            {option >= total
              ? t('all {number}', { number: formatCount(total) })
              : t('the {number} most important', { number: formatCount(option) })}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The legend of the types. A click on a type shows only its entities. */
function TypeFilter({
  themes,
}: {
  themes: { total_entities: number; types: { type: string; count: number }[] }
}) {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { type } = useSearch({ from: '/w/$workspace/graph' })
  const chipClass = (isActive: boolean): string =>
    `flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-sm ${isActive ? 'border-accent bg-tint text-accent' : 'border-line hover:border-edge'}`
  return (
    <ul aria-label={t('Types')} className="mt-3 flex flex-wrap gap-2">
      <li>
        <Link
          to="/w/$workspace/graph"
          params={{ workspace }}
          search={({ type: _, ...rest }) => rest}
          activeProps={{}}
          aria-current={type === undefined ? 'true' : undefined}
          className={chipClass(!type)}
        >
          {t('all')} <span className={type ? 'text-soft' : ''}>{formatCount(themes.total_entities)}</span>
        </Link>
      </li>
      {themes.types.map((entityType) => (
        <li key={entityType.type}>
          <Link
            to="/w/$workspace/graph"
            params={{ workspace }}
            search={({ type: activeType, ...rest }) =>
              activeType === entityType.type ? rest : { ...rest, type: entityType.type }
            }
            activeProps={{}}
            aria-current={type === entityType.type ? 'true' : undefined}
            className={chipClass(type === entityType.type)}
          >
            <TypeDot type={entityType.type} />
            {typeLabel(entityType.type)}{' '}
            <span className={type === entityType.type ? '' : 'text-soft'}>
              {formatCount(entityType.count)}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
