// The neighbourhood of an entity, drawn: names as links, and the words of their relations on the lines. A plus shows the relations
// of a name, too. The list of relations has the same content.

import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Minus, Plus } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { entityQuery } from '../queries.ts'
import {
  branchesOf,
  MENTIONED_WITH,
  type Neighbourhood,
  type PlacedBranch,
  type PlacedTree,
  placeTree,
} from './neighbourhood-tree.ts'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'

const ROW_HEIGHT = 32
const MARGIN = 8

/** Widths in pixels. A column has the word of the relation, then the name. */
interface Widths {
  root: number
  word: number
  name: number
  /** There is only room to the right. */
  isOneSided: boolean
}

function widthsFor(width: number): Widths {
  if (width >= 900) return { root: 210, word: 108, name: 220, isOneSided: false }
  if (width >= 690) return { root: 160, word: 104, name: 150, isOneSided: false }
  return { root: 84, word: 104, name: 148, isOneSided: true }
}

export function NeighbourhoodDrawing({
  workspace,
  neighbourhood,
}: {
  workspace: string
  neighbourhood: Neighbourhood
}) {
  const root = neighbourhood.entity
  const [expanded, setExpanded] = useState<readonly string[]>([])
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const results = useQueries({ queries: expanded.map((id) => entityQuery(workspace, id)) })
  const loaded = new Map(results.flatMap(({ data }) => (data ? [[data.entity.id, data] as const] : [])))
  const branches = branchesOf(neighbourhood, expanded, loaded)
  const failures = results.flatMap(({ data, error, refetch }, index) => {
    const branch = branches.find(({ entity }) => entity.id === expanded[index])
    return error && !data && branch ? [{ ...branch.entity, error, retry: () => void refetch() }] : []
  })
  const widths = widthsFor(width)
  const tree = placeTree(root.id, branches, widths.isOneSided)
  const places = placesOf(tree, widths)
  const latest = tree.branches.find(({ entity }) => entity.id === expanded.at(-1))
  const shownX = latest ? places.nameX({ column: latest.column + Math.sign(latest.column) }) : places.rootX
  const shownWidth = latest ? widths.name : widths.root
  // The names that were added last are in view.
  useLayoutEffect(() => {
    const element = frame.current
    if (element)
      element.scrollLeft = scrollFor(element, { left: shownX - MARGIN, right: shownX + shownWidth + MARGIN })
  }, [shownX, shownWidth])
  if (branches.length === 0) return null
  const toggle = (id: string): void =>
    setExpanded((ids) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]))
  return (
    <section
      ref={frame}
      aria-label={t('Neighbourhood')}
      className="overflow-x-auto rounded-lg border border-line bg-paper"
    >
      <div className="relative mx-auto" style={{ width: places.width, height: places.height }}>
        <Lines tree={tree} root={root.id} places={places} widths={widths} />
        <div
          className="absolute flex items-center justify-center"
          style={{ left: places.rootX, top: places.y(tree.rootRow), width: widths.root, height: ROW_HEIGHT }}
        >
          <span
            title={root.name}
            className={`border border-accent bg-tint font-semibold text-accent ${
              widths.isOneSided
                ? 'line-clamp-3 rounded-lg px-1.5 py-1 text-center text-xs'
                : 'truncate rounded-full px-3 py-1 text-sm'
            }`}
          >
            {root.name}
          </span>
        </div>
        {tree.branches.map((branch) => (
          <Name
            key={branch.entity.id}
            workspace={workspace}
            branch={branch}
            left={places.nameX(branch)}
            top={places.y(branch.row)}
            width={widths.name}
            isExpanded={expanded.includes(branch.entity.id)}
            toggle={() => toggle(branch.entity.id)}
          />
        ))}
      </div>
      {failures.map(({ id, name, error, retry }) => (
        <div
          key={id}
          role="alert"
          className="sticky left-0 flex flex-wrap items-center gap-2 border-t border-line p-3 text-sm text-bad"
        >
          {t('The relations of {name} could not be loaded. {reason}', {
            name,
            reason: errorText(error),
          })}
          <Button onClick={retry}>{t('Try again')}</Button>
        </div>
      ))}
    </section>
  )
}

interface NameProps {
  workspace: string
  branch: PlacedBranch
  left: number
  top: number
  width: number
  isExpanded: boolean
  toggle: () => void
}

function Name({ workspace, branch: { entity, column }, left, top, width, isExpanded, toggle }: NameProps) {
  const label = isExpanded
    ? t('Hide relations of {name}', { name: entity.name })
    : t('Show relations of {name}', { name: entity.name })
  return (
    <div
      className={`absolute flex items-center gap-1 text-sm motion-safe:transition-[left,top] motion-safe:duration-150 ${column < 0 ? 'flex-row-reverse' : ''}`}
      style={{ left, top, width, height: ROW_HEIGHT }}
    >
      <Link
        to="/w/$workspace/graph/$entity"
        params={{ workspace, entity: entity.id }}
        title={entity.name}
        className="flex min-w-0 items-center gap-1.5 rounded-full border border-line bg-raised px-2 py-0.5 hover:border-edge"
      >
        <TypeDot type={entity.type ?? 'other'} />
        <span className="truncate">{entity.name}</span>
      </Link>
      <button
        type="button"
        aria-label={label}
        aria-expanded={isExpanded}
        title={label}
        onClick={toggle}
        className="shrink-0 rounded-full bg-paper p-1 text-soft hover:bg-back hover:text-ink"
      >
        {isExpanded ? <Minus size={14} aria-hidden /> : <Plus size={14} aria-hidden />}
      </button>
    </div>
  )
}

interface Places {
  width: number
  height: number
  rootX: number
  /** The top of a row. */
  y: (row: number) => number
  /** The left edge of the names of a column. */
  nameX: (place: { column: number }) => number
}

function placesOf({ from, to, rows }: PlacedTree, { root, word, name }: Widths): Places {
  const rootX = MARGIN - from * (word + name)
  return {
    width: rootX + root + to * (word + name) + MARGIN,
    height: rows * ROW_HEIGHT + 2 * MARGIN,
    rootX,
    y: (row) => MARGIN + row * ROW_HEIGHT,
    nameX: ({ column }) =>
      column < 0 ? rootX + column * (word + name) : rootX + root + (column - 1) * (word + name) + word,
  }
}

/** The scroll position nearest to the present one at which the range is in view. */
function scrollFor(
  { scrollLeft, clientWidth }: HTMLElement,
  { left, right }: { left: number; right: number },
): number {
  if (left < scrollLeft) return left
  return right > scrollLeft + clientWidth ? right - clientWidth : scrollLeft
}

/** The lines with the words of the relations. The list of relations is what a screen reader reads. */
function Lines({
  tree,
  root,
  places,
  widths,
}: {
  tree: PlacedTree
  root: string
  places: Places
  widths: Widths
}) {
  const rowOf = (id: string): number =>
    id === root ? tree.rootRow : (tree.branches.find(({ entity }) => entity.id === id)?.row ?? 0)
  // From the middle of a name to the beginning of the lines of its branches. The name covers most of it.
  const stems = [
    ...new Map(tree.branches.map((one) => [`${one.parent} ${Math.sign(one.column)}`, one])).values(),
  ]
  return (
    <svg aria-hidden width={places.width} height={places.height} className="absolute inset-0">
      {stems.map(({ parent, column }) => {
        const sign = Math.sign(column)
        const isOfRoot = parent === root
        const from = isOfRoot
          ? places.rootX + widths.root / 2
          : places.nameX({ column: column - sign }) + widths.name / 2
        const length = (isOfRoot ? widths.root : widths.name) / 2
        const y = places.y(rowOf(parent)) + ROW_HEIGHT / 2
        return <path key={`${parent} ${sign}`} d={`M ${from} ${y} h ${sign * length}`} stroke="var(--link)" />
      })}
      {tree.branches.map((branch) => {
        const sign = branch.column < 0 ? -1 : 1
        const nameEdge = places.nameX(branch) + (sign < 0 ? widths.name : 0)
        const parentEdge = nameEdge - sign * widths.word
        const y = places.y(branch.row) + ROW_HEIGHT / 2
        const parentY = places.y(rowOf(branch.parent)) + ROW_HEIGHT / 2
        const bend = parentEdge + sign * 18
        const isStated = branch.relation !== MENTIONED_WITH
        return (
          <g key={branch.entity.id}>
            <path
              d={`M ${parentEdge} ${parentY} C ${bend} ${parentY}, ${parentEdge} ${y}, ${bend} ${y} H ${nameEdge}`}
              fill="none"
              stroke={`var(${isStated ? '--edge' : '--link'})`}
              strokeDasharray={isStated ? undefined : '2 4'}
            />
            {branch.way !== 'none' && (
              <path
                d={arrow(branch.way === 'out' ? nameEdge : bend, y, branch.way === 'out' ? sign : -sign)}
                fill="var(--edge)"
              />
            )}
            <text
              x={(bend + nameEdge) / 2}
              y={y - 4}
              textAnchor="middle"
              fontSize={11}
              fill={`var(${isStated ? '--ink' : '--soft'})`}
              stroke="var(--paper)"
              strokeWidth={3}
              paintOrder="stroke"
            >
              {typeLabel(branch.relation)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** A small triangle with its tip at `x`. */
const arrow = (x: number, y: number, sign: number): string => `M ${x} ${y} l ${-7 * sign} -3.5 v 7 z`

function useWidth(element: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
