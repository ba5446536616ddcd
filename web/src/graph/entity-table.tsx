// The entities of the graph as a table that can be sorted and filtered. Only visible rows are rendered, so 5,000 rows are fast.

import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { locale } from '../language/locale.ts'
import { plural, rich, t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'
import { formatCount } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import type { Graph } from '../queries.ts'
import type { Sort } from './address.ts'
import { matchingEntities } from './matching.ts'
import { TypeDot } from './type-dot.tsx'
import { typeLabel } from './types.ts'

const ROW_PIXELS = 36

interface Row {
  id: string
  name: string
  type: string
  mentions: number
  relations: number
}

type Column = 'name' | 'type' | 'mentions' | 'relations'

/** By default numbers are sorted from the largest, names from A. */
const COMPARATORS: Record<Column, (a: Row, b: Row) => number> = {
  name: (a, b) => byName.compare(a.name, b.name),
  type: (a, b) => byName.compare(typeLabel(a.type), typeLabel(b.type)) || b.mentions - a.mentions,
  mentions: (a, b) => b.mentions - a.mentions,
  relations: (a, b) => b.relations - a.relations,
}
const byName = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' })

export function EntityTable({ graph, total }: { graph: Graph; total: number }) {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { q, type, entity, sort = 'mentions' } = useSearch({ from: '/w/$workspace/graph' })
  const allRows = useMemo(() => rowsOf(graph), [graph])
  const rows = useMemo(() => {
    const column = sort.replace('-', '') as Column
    const order = COMPARATORS[column]
    const matches = q
      ? matchingEntities(allRows, q, type)
      : allRows.filter((row) => type === undefined || row.type === type)
    return matches.toSorted(sort.startsWith('-') ? (a, b) => order(b, a) : order)
  }, [allRows, q, type, sort])
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 20,
  })
  const items = virtualizer.getVirtualItems()
  const heightAbove = items[0]?.start ?? 0
  const heightBelow = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div className="flex h-full flex-col px-4 md:px-6">
      <p role="status" className="mb-2 text-sm text-soft">
        {total > graph.nodes.length
          ? rich('{entities} among the {shown} most important of {total}. {searchAll}', {
              entities: plural(rows.length, 'entity', 'entities'),
              shown: formatCount(graph.nodes.length),
              total: formatCount(total),
              searchAll: (
                <Link
                  to="/w/$workspace/graph"
                  params={{ workspace }}
                  search={({ view: _, ...rest }) => rest}
                  activeProps={{}}
                  className="text-accent underline"
                >
                  {t('Search all')}
                </Link>
              ),
            })
          : plural(rows.length, 'entity', 'entities')}
      </p>
      {rows.length === 0 ? (
        <Empty
          title={t('No entity has this name')}
          action={
            <Link
              to="/w/$workspace/graph"
              params={{ workspace }}
              search={{ view: 'table' }}
              activeProps={{}}
              className={buttonClass()}
            >
              {t('Show all')}
            </Link>
          }
        >
          {t('Try fewer letters, or another type.')}
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
        <div ref={scroller} tabIndex={0} className="min-h-0 flex-1 overflow-y-auto border-t border-line">
          <table aria-rowcount={rows.length + 1} className="w-full table-fixed text-left text-sm">
            <caption className="sr-only">{t('Entities')}</caption>
            <thead className="sticky top-0 z-10 bg-paper text-xs text-soft">
              <tr className="border-b border-line">
                <Head column="name" label={t('Name')} />
                <Head column="type" label={t('Type')} className="hidden w-36 sm:table-cell" />
                <Head column="mentions" label={t('Mentions')} className="w-24 text-right" />
                <Head column="relations" label={t('Related to')} className="w-28 text-right" />
              </tr>
            </thead>
            <tbody>
              {heightAbove > 0 && <tr style={{ height: heightAbove }} />}
              {items.map(({ index }) => {
                const row = rows[index]
                return (
                  row && (
                    <tr
                      key={row.id}
                      aria-rowindex={index + 2}
                      aria-current={row.id === entity ? 'true' : undefined}
                      className={`border-b border-line hover:bg-back ${row.id === entity ? 'bg-tint' : ''}`}
                      style={{ height: ROW_PIXELS }}
                    >
                      <td className="pr-4">
                        <Link
                          to="/w/$workspace/graph"
                          params={{ workspace }}
                          search={(search) => ({ ...search, entity: row.id })}
                          activeProps={{}}
                          title={row.name}
                          className="line-clamp-2 leading-4 wrap-anywhere hover:underline"
                        >
                          {row.name}
                        </Link>
                      </td>
                      <td className="hidden text-soft sm:table-cell">
                        <span className="flex items-center gap-1.5">
                          <TypeDot type={row.type} />
                          {typeLabel(row.type)}
                        </span>
                      </td>
                      <td className="text-right text-soft tabular-nums">{formatCount(row.mentions)}</td>
                      <td className="text-right text-soft tabular-nums">{formatCount(row.relations)}</td>
                    </tr>
                  )
                )
              })}
              {heightBelow > 0 && <tr style={{ height: heightBelow }} />}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}

function Head({ column, label, className = '' }: { column: Column; label: string; className?: string }) {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { sort = 'mentions' } = useSearch({ from: '/w/$workspace/graph' })
  const isReversed = sort === `-${column}`
  const isSorted = sort === column || isReversed
  const next: Sort = sort === column ? `-${column}` : column
  const isNumber = column === 'mentions' || column === 'relations'
  const isUp = isNumber === isReversed
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
      className={`py-1.5 font-medium ${className}`}
    >
      <Link
        to="/w/$workspace/graph"
        params={{ workspace }}
        search={(search) => ({ ...search, sort: next })}
        activeProps={{}}
        replace
        className="inline-flex items-center gap-1 hover:text-ink"
      >
        {label}
        {isSorted && (isUp ? <ArrowUp size={12} aria-hidden /> : <ArrowDown size={12} aria-hidden />)}
      </Link>
    </th>
  )
}

/** The rows of the table, each with the number of entities that it is related to. */
function rowsOf({ nodes, edges }: Graph): Row[] {
  const neighbours = nodes.map(() => new Set<number>())
  for (const { source, target } of edges) {
    neighbours[source]?.add(target)
    neighbours[target]?.add(source)
  }
  return nodes.map(({ id, name, type, mention_count }, i) => ({
    id,
    name,
    type,
    mentions: mention_count,
    relations: neighbours[i]?.size ?? 0,
  }))
}
