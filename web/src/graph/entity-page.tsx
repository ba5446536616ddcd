// An entity: its names, its relations, and the passages that state them.

import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'
import { loadWithRetries } from '../parts/patiently.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { entityQuery } from '../queries.ts'
import { Connection } from './connection.tsx'
import { About, Passages, Relations } from './entity-parts.tsx'
import { Names } from './names.tsx'

const RELATIONS_SHOWN = 20

const loadDrawing = () => loadWithRetries(() => import('./neighbourhood-drawing.tsx'))
const NeighbourhoodDrawing = lazy(() =>
  loadDrawing().then((module) => ({ default: module.NeighbourhoodDrawing })),
)

// A reader who does one of these is not taken elsewhere any more.
const READER_EVENTS = ['wheel', 'pointerdown', 'keydown'] as const

/** Waits for the drawing above the sections, which would move them. */
async function scrollTo(id: string, signal: AbortSignal): Promise<void> {
  await loadDrawing().catch(() => undefined)
  // React shows the drawing in the next frame.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  if (!signal.aborted) document.getElementById(id)?.scrollIntoView()
}

export function EntityPage() {
  const { workspace, entity } = useParams({ from: '/w/$workspace/graph/$entity' })
  const { to: other } = useSearch({ from: '/w/$workspace/graph/$entity' })
  const { data, error, refetch } = useQuery(entityQuery(workspace, entity))
  const isLoaded = data !== undefined
  const heading = useRef<HTMLHeadingElement>(null)
  const shownEntity = useRef(entity)
  // The link to the other entity that had the focus may have disappeared.
  useEffect(() => {
    if (!isLoaded || shownEntity.current === entity) return
    shownEntity.current = entity
    if (document.activeElement === document.body) heading.current?.focus()
  }, [isLoaded, entity])
  const hash = useLocation({ select: (location) => location.hash })
  // The router looks for the section before the entity has loaded.
  useEffect(() => {
    if (!isLoaded || !hash) return
    const abort = new AbortController()
    const { signal } = abort
    const stop = (): void => abort.abort()
    for (const event of READER_EVENTS) addEventListener(event, stop, { signal, passive: true })
    void scrollTo(hash, signal)
    return stop
  }, [isLoaded, hash])
  if (error && !data) return <Problem error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <div className="mx-auto max-w-3xl p-6">
        <Skeleton lines={8} />
      </div>
    )
  return (
    <div className="h-full overflow-y-auto">
      <title>{`${data.entity.name} · Kenning`}</title>
      <div className="mx-auto max-w-3xl px-4 pt-6 md:px-6">
        <div className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-2">
          <h2 ref={heading} tabIndex={-1} className="min-w-48 flex-1 text-xl font-semibold outline-none">
            {data.entity.name}
          </h2>
          <span className="flex flex-wrap gap-2">
            <Link
              to="/w/$workspace/graph"
              params={{ workspace }}
              search={{ view: 'canvas', entity: data.entity.id }}
              className={buttonClass('plain')}
            >
              {t('Show on the canvas')}
            </Link>
            <Link
              to="/w/$workspace/search"
              params={{ workspace }}
              search={{ q: data.entity.name, entity: data.entity.id }}
              className={buttonClass('plain')}
            >
              {t('Search its passages')}
            </Link>
          </span>
        </div>
        <About workspace={workspace} about={data.entity} />
      </div>
      <div className="mx-auto max-w-6xl px-4 md:px-6">
        <Suspense fallback={null}>
          <NeighbourhoodDrawing key={data.entity.id} workspace={workspace} neighbourhood={data} />
        </Suspense>
      </div>
      <div className="mx-auto max-w-3xl px-4 py-6 md:px-6">
        <h3 className="mb-1 text-sm font-semibold">{t('Relations')}</h3>
        <Relations
          workspace={workspace}
          neighbourhood={data}
          maxShown={RELATIONS_SHOWN}
          link={(other) => (
            <Link
              to="/w/$workspace/graph/$entity"
              params={{ workspace, entity: other.id }}
              className="font-medium hover:underline"
            >
              {other.name}
            </Link>
          )}
        />
        <Connection key={data.entity.id} workspace={workspace} of={data.entity} other={other} />
        <Names workspace={workspace} about={data.entity} />
        <h3 className="mt-6 mb-1 text-sm font-semibold">{t('Passages')}</h3>
        <Passages workspace={workspace} entity={entity} />
      </div>
    </div>
  )
}
