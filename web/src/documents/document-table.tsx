// The table of documents. It stays fast with ten thousand rows, because only visible rows exist.

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, Clock3 } from 'lucide-react'
import { type MouseEvent, memo, useCallback, useEffect, useRef } from 'react'
import { formatCount, formatDate, formatDateTime } from '../parts/format.ts'
import { kindName } from '../parts/kinds.ts'
import type { Document, DocumentSort } from '../queries.ts'

const ROW_PIXELS = 36
// The next page is loaded this many rows before the end.
const PRELOAD_ROWS = 60

interface Props {
  workspace: string
  documents: readonly Document[]
  total: number | undefined
  /** If it is undefined, no document can be selected. */
  select: ((selectedIds: ReadonlySet<string>) => void) | undefined
  selectedIds: ReadonlySet<string>
  loadMore: (() => void) | undefined
}

export function DocumentTable({ workspace, documents, total, selectedIds, select, loadMore }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 20,
  })
  const visibleRows = rows.getVirtualItems()
  const heightAbove = visibleRows[0]?.start ?? 0
  const heightBelow = rows.getTotalSize() - (visibleRows.at(-1)?.end ?? 0)
  const lastIndex = visibleRows.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastIndex >= documents.length - PRELOAD_ROWS) loadMore?.()
  }, [lastIndex, documents.length, loadMore])
  const toggle = useToggle(documents, selectedIds, select)
  const areAllSelected = documents.length > 0 && documents.every(({ id }) => selectedIds.has(id))
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto border-t border-line">
      <table aria-rowcount={(total ?? documents.length) + 1} className="w-full table-fixed text-left text-sm">
        <caption className="sr-only">Documents</caption>
        <thead className="sticky top-0 z-10 bg-paper text-xs text-soft">
          <tr className="border-b border-line">
            {select && (
              <th scope="col" className="w-8 py-1.5">
                <input
                  type="checkbox"
                  aria-label="Select all documents shown"
                  className="block"
                  checked={areAllSelected}
                  onChange={() => select(areAllSelected ? new Set() : new Set(documents.map(({ id }) => id)))}
                />
              </th>
            )}
            <Column column="title">Title</Column>
            <Column column="kind" className="hidden w-28 sm:table-cell">
              Kind
            </Column>
            <Column column="pages" className="hidden w-20 text-right md:table-cell">
              Pages
            </Column>
            <Column column="chunk_count" className="hidden w-24 text-right md:table-cell">
              Passages
            </Column>
            <th scope="col" className="hidden w-24 pl-6 font-medium lg:table-cell">
              Tables
            </th>
            <Column column="uploaded_at" className="hidden w-32 pl-4 sm:table-cell">
              Added
            </Column>
            <th scope="col" className="w-6 font-medium sm:w-28">
              <span className="sr-only sm:not-sr-only">State</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {heightAbove > 0 && <tr style={{ height: heightAbove }} />}
          {visibleRows.map(({ index }) => {
            const document = documents[index]
            return (
              document && (
                <Row
                  key={document.id}
                  workspace={workspace}
                  document={document}
                  index={index}
                  isSelected={selectedIds.has(document.id)}
                  toggle={toggle}
                />
              )
            )
          })}
          {heightBelow > 0 && <tr style={{ height: heightBelow }} />}
        </tbody>
      </table>
    </div>
  )
}

/** Selects a row, or with Shift all rows since the last one. */
function useToggle(
  documents: readonly Document[],
  selectedIds: ReadonlySet<string>,
  select: Props['select'],
): ((index: number, withShift: boolean) => void) | undefined {
  const latestProps = useRef({ documents, selectedIds, select })
  latestProps.current = { documents, selectedIds, select }
  const anchor = useRef<number>(undefined)
  const toggle = useCallback((index: number, withShift: boolean): void => {
    const { documents, selectedIds, select } = latestProps.current
    const from = withShift ? (anchor.current ?? index) : index
    const ids = documents.slice(Math.min(from, index), Math.max(from, index) + 1).map(({ id }) => id)
    const next = new Set(selectedIds)
    const isOn = !selectedIds.has(documents[index]?.id ?? '')
    for (const id of ids) {
      if (isOn) next.add(id)
      else next.delete(id)
    }
    anchor.current = index
    select?.(next)
  }, [])
  return select && toggle
}

const FROM = { from: '/w/$workspace/documents' } as const

function Column({
  column,
  className = '',
  children,
}: {
  column: DocumentSort
  className?: string
  children: string
}) {
  const { by: sort = 'title', order = 'asc' } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const isSorted = sort === column
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  const choose = (): void => {
    const next = isSorted && order === 'asc' ? 'desc' : 'asc'
    void navigate({
      search: ({ by: _by, order: _order, ...rest }) => ({
        ...rest,
        ...(column === 'title' ? {} : { by: column }),
        ...(next === 'desc' ? { order: next } : {}),
      }),
      replace: true,
    })
  }
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={`py-1.5 font-medium ${className}`}
    >
      <button type="button" onClick={choose} className="inline-flex items-center gap-1 hover:text-ink">
        {children}
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  )
}

interface RowProps {
  workspace: string
  document: Document
  index: number
  isSelected: boolean
  toggle: ((index: number, withShift: boolean) => void) | undefined
}

const Row = memo(function Row({ workspace, document, index, isSelected, toggle }: RowProps) {
  const onClick = ({ shiftKey }: MouseEvent): void => toggle?.(index, shiftKey)
  return (
    <tr
      aria-rowindex={index + 2}
      className={`border-b border-line ${isSelected ? 'bg-tint' : 'hover:bg-back'}`}
      style={{ height: ROW_PIXELS }}
    >
      {toggle && (
        <td>
          <input
            type="checkbox"
            aria-label={`Select ${document.title}`}
            checked={isSelected}
            onClick={onClick}
            readOnly
            className="block"
          />
        </td>
      )}
      <td className="truncate pr-4">
        <Link
          to="/w/$workspace/d/$document"
          params={{ workspace, document: document.id }}
          title={document.filename}
          className="hover:underline"
        >
          {document.title}
        </Link>
        <span className="ml-2 hidden text-xs text-soft sm:inline">{document.filename}</span>
      </td>
      <td className="hidden truncate text-soft sm:table-cell">{kindName(document.kind)}</td>
      <td className="hidden text-right text-soft tabular-nums md:table-cell">
        {document.pages === null ? '' : formatCount(document.pages)}
      </td>
      <td className="hidden text-right text-soft tabular-nums md:table-cell">
        {formatCount(document.chunk_count)}
      </td>
      <td className="hidden pl-6 text-soft lg:table-cell">{document.has_tables ? 'yes' : ''}</td>
      <td
        className="hidden truncate pl-4 text-soft sm:table-cell"
        title={formatDateTime(document.uploaded_at)}
      >
        {formatDate(document.uploaded_at)}
      </td>
      <td className="truncate text-soft">
        {/* A narrow window shows the state only of documents that are not ready yet. */}
        {document.state === 'complete' ? (
          <span className="sr-only sm:not-sr-only">Ready</span>
        ) : (
          <span
            className="inline-flex items-center gap-1"
            title="Its words can be searched. The graph or the search by meaning does not include it yet, but will soon."
          >
            <Clock3 size={12} aria-hidden className="shrink-0" />
            <span className="sr-only sm:not-sr-only">Searchable</span>
          </span>
        )}
      </td>
    </tr>
  )
})
