// The drawing of the graph with its controls. The table shows the same entities.

import { Link, useParams, useSearch } from '@tanstack/react-router'
import { Maximize2, Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { plural, rich, t } from '../language/text.tsx'
import { IconButton } from '../parts/button.tsx'
import { formatCount } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import type { Graph } from '../queries.ts'
import { canDraw, type Drawing, draw } from './drawing.ts'
import { runLayout } from './layout.ts'
import { matchingEntities } from './matching.ts'
import { TypeDot } from './type-dot.tsx'

const MAX_LISTED_MATCHES = 8

interface Props {
  graph: Graph
  /** Opens an entity beside the drawing, or closes it. */
  open: (id: string | undefined) => void
}

export function GraphCanvas({ graph, open }: Props) {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { q, type, entity } = useSearch({ from: '/w/$workspace/graph' })
  const container = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(undefined)
  const [progress, setProgress] = useState(0)
  const matches = useMemo(() => (q ? matchingEntities(graph.nodes, q, type) : undefined), [graph, q, type])
  const isSelected = graph.nodes.some(({ id }) => id === entity)
  const select = useRef(open)
  select.current = open
  const isDrawable = useMemo(canDraw, [])

  useEffect(() => {
    if (!container.current || !isDrawable) return
    const prefersNoMotion = matchMedia('(prefers-reduced-motion: reduce)').matches
    const view = draw(container.current, graph, {
      select: (id) => select.current(id),
      animate: !prefersNoMotion,
    })
    drawing.current = view
    setProgress(0)
    const stop = runLayout(graph, (state) => {
      setProgress(state.progress)
      if (!prefersNoMotion || state.progress === 1) view.move(state.positions)
    })
    const unwatch = onTheme(() => view.recolour())
    return () => {
      stop()
      unwatch()
      view.end()
      drawing.current = undefined
    }
  }, [graph, isDrawable])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new drawing has no focus yet
  useEffect(() => {
    drawing.current?.focus({
      type,
      selected: entity,
      matches: matches && new Set(matches.map(({ id }) => id)),
    })
  }, [graph, type, entity, matches])
  useEffect(() => {
    if (entity && progress === 1) drawing.current?.goTo(entity)
  }, [entity, progress])

  if (!isDrawable)
    return (
      <Empty title={t('This browser cannot draw the graph')}>
        {rich('It needs WebGL 2, which is missing or switched off. {table} shows the same.', {
          table: (
            <Link
              to="/w/$workspace/graph"
              params={{ workspace }}
              search={(search) => ({ ...search, view: 'table' as const })}
              activeProps={{}}
              className="text-accent underline"
            >
              {t('The table')}
            </Link>
          ),
        })}
      </Empty>
    )
  const entities = plural(graph.nodes.length, 'entity', 'entities')
  const relations = plural(graph.edges.length, 'relation')
  const onKeyDown = (event: KeyboardEvent): void => {
    const act = KEYS[event.key]
    if (!act || !drawing.current || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act(drawing.current)
  }
  return (
    <div className="relative h-full border-t border-line">
      <div
        ref={container}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: moved and zoomed by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-label={t(
          '{entities} and {relations}, drawn. Arrow keys move, plus and minus zoom, 0 shows all. The table shows the same.',
          { entities, relations },
        )}
        data-arranged={progress === 1}
        className="absolute inset-0 cursor-grab overflow-hidden"
      />
      <div className="absolute right-3 bottom-3 flex flex-col rounded-md border border-line bg-raised">
        <IconButton label={t('Zoom in')} onClick={() => drawing.current?.zoom('in')}>
          <Plus size={16} />
        </IconButton>
        <IconButton label={t('Zoom out')} onClick={() => drawing.current?.zoom('out')}>
          <Minus size={16} />
        </IconButton>
        <IconButton label={t('Show all')} onClick={() => drawing.current?.zoom('fit')}>
          <Maximize2 size={14} />
        </IconButton>
      </div>
      <p
        role="status"
        className="pointer-events-none absolute bottom-3 left-3 rounded bg-paper/80 px-2 py-0.5 text-xs text-soft"
      >
        {progress < 1 ? t('Arranging …') : t('{entities}, {relations}', { entities, relations })}
        {entity && !isSelected && ` · ${t('the open entity is not shown here')}`}
      </p>
      {matches && (
        <div className="absolute top-3 left-3 max-h-[60%] w-64 overflow-y-auto rounded-md border border-line bg-raised p-2 text-sm shadow-sm">
          <p role="status" className="px-1 text-xs text-soft">
            {matches.length === 0
              ? plural(
                  graph.nodes.length,
                  'None of the {count} entities shown has this name.',
                  'None of the {count} entities shown has this name.',
                )
              : t('{matches} of {total}', {
                  matches: plural(matches.length, 'match', 'matches'),
                  total: formatCount(graph.nodes.length),
                })}
          </p>
          <ul>
            {matches.slice(0, MAX_LISTED_MATCHES).map((node) => (
              <li key={node.id}>
                <Link
                  to="/w/$workspace/graph"
                  params={{ workspace }}
                  search={(search) => ({ ...search, entity: node.id })}
                  activeProps={{}}
                  className="flex items-center gap-2 rounded px-1 py-1 hover:bg-back"
                >
                  <TypeDot type={node.type} />
                  <span className="truncate">{node.name}</span>
                </Link>
              </li>
            ))}
          </ul>
          {matches.length === 0 && (
            <Link
              to="/w/$workspace/graph"
              params={{ workspace }}
              search={({ view: _, ...rest }) => rest}
              activeProps={{}}
              className="mx-1 text-accent underline"
            >
              {t('Search all entities')}
            </Link>
          )}
        </div>
      )}
    </div>
  )
}

const KEYS: Record<string, (drawing: Drawing) => void> = {
  ArrowLeft: (drawing) => drawing.pan(-1, 0),
  ArrowRight: (drawing) => drawing.pan(1, 0),
  ArrowUp: (drawing) => drawing.pan(0, 1),
  ArrowDown: (drawing) => drawing.pan(0, -1),
  '+': (drawing) => drawing.zoom('in'),
  '=': (drawing) => drawing.zoom('in'),
  '-': (drawing) => drawing.zoom('out'),
  0: (drawing) => drawing.zoom('fit'),
}

/** Calls `listener` when the colours of the page change. */
function onTheme(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', listener)
  const themeObserver = new MutationObserver(listener)
  themeObserver.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', listener)
    themeObserver.disconnect()
  }
}
