// The table of documents. It stays fast with ten thousand rows, because only visible rows exist.

import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, Clock3 } from 'lucide-react'
import { type DragEvent, type MouseEvent, memo, type RefObject, useCallback, useEffect, useRef } from 'react'
import { locale } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'
import { formatBytes, formatDate, formatDateTime } from '../parts/format.ts'
import { kindName } from '../parts/kinds.ts'
import type { Document, DocumentSort } from '../queries.ts'
import type { DisplayName } from './display-names.ts'
import { beginDrag, type Drag } from './drag.ts'
import { Thumbnail } from './thumbnail.tsx'

const ROW_PIXELS = 36
// The next page is loaded this many rows before the end.
const PRELOAD_ROWS = 60

interface Props {
  workspace: string
  documents: readonly Document[]
  /** The names of the documents, in the same order. */
  names: readonly DisplayName[]
  total: number | undefined
  uploaderName: (accountId: string | null) => string
  /** If it is undefined, no document can be selected. */
  select: ((selectedIds: ReadonlySet<string>) => void) | undefined
  selectedIds: ReadonlySet<string>
  /** The selected documents while they are dragged. */
  drag: RefObject<Drag | undefined>
  loadMore: (() => void) | undefined
}

// A column is shown only if the table, which a panel beside it may narrow, has room for it.
const SIZE_COLUMN = 'hidden w-20 text-right @xl:table-cell'
const UPLOADER_COLUMN = 'hidden w-36 pl-4 @3xl:table-cell'
const OPENED_COLUMN = 'hidden w-32 pl-4 @4xl:table-cell'
const CHANGED_COLUMN = 'w-28 pl-4'
const KIND_COLUMN = 'hidden w-28 @xl:table-cell'

export function DocumentTable(props: Props) {
  const { workspace, documents, names, total, uploaderName, selectedIds, select, drag, loadMore } = props
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
    <div ref={scroller} className="@container min-h-0 min-w-0 flex-1 overflow-y-auto border-t border-line">
      <table aria-rowcount={(total ?? documents.length) + 1} className="w-full table-fixed text-left text-sm">
        <caption className="sr-only">{t('Documents')}</caption>
        <thead className="sticky top-0 z-10 bg-paper text-xs text-soft">
          <tr className="border-b border-line">
            {select && (
              <th scope="col" className="w-8 py-1.5">
                <input
                  type="checkbox"
                  aria-label={t('Select all documents shown')}
                  className="block"
                  checked={areAllSelected}
                  onChange={() => select(areAllSelected ? new Set() : new Set(documents.map(({ id }) => id)))}
                />
              </th>
            )}
            <Column column="title">{t('Name')}</Column>
            <Column column="kind" className={KIND_COLUMN}>
              {t('Kind')}
            </Column>
            <Column column="bytes" className={SIZE_COLUMN}>
              {t('Size')}
            </Column>
            <Column column="uploaded_at" className={CHANGED_COLUMN}>
              {t('Changed')}
            </Column>
            <th scope="col" className={`font-medium ${UPLOADER_COLUMN}`}>
              {t('Uploaded by')}
            </th>
            <Column column="opened_on" className={OPENED_COLUMN}>
              {t('Last opened')}
            </Column>
          </tr>
        </thead>
        <tbody
          onDragStart={(event: DragEvent) => {
            const row = event.target instanceof Element ? event.target.closest('tr') : null
            if (!row?.draggable) return
            drag.current = { documentIds: [...selectedIds] }
            beginDrag(event, plural(selectedIds.size, 'document'))
          }}
          onDragEnd={() => {
            drag.current = undefined
          }}
        >
          {heightAbove > 0 && <tr style={{ height: heightAbove }} />}
          {visibleRows.map(({ index }) => {
            const document = documents[index]
            const name = names[index]
            return (
              document &&
              name && (
                <Row
                  key={document.id}
                  workspace={workspace}
                  document={document}
                  name={name}
                  uploader={uploaderName(document.uploaded_by)}
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
type ColumnSort = Exclude<DocumentSort, 'pages' | 'chunk_count'>

function Column({
  column,
  className = '',
  children,
}: {
  column: ColumnSort
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
  name: DisplayName
  uploader: string
  index: number
  isSelected: boolean
  toggle: ((index: number, withShift: boolean) => void) | undefined
}

const Row = memo(function Row({ workspace, document, name, uploader, index, isSelected, toggle }: RowProps) {
  const onClick = ({ shiftKey }: MouseEvent): void => toggle?.(index, shiftKey)
  return (
    <tr
      aria-rowindex={index + 2}
      draggable={isSelected && toggle !== undefined}
      className={`border-b border-line ${isSelected ? 'bg-tint' : 'hover:bg-back'}`}
      style={{ height: ROW_PIXELS }}
    >
      {toggle && (
        <td>
          <input
            type="checkbox"
            aria-label={t('Select {title}', { title: document.title })}
            checked={isSelected}
            onClick={onClick}
            readOnly
            className="block"
          />
        </td>
      )}
      <td className="pr-4">
        <div className="flex items-center gap-2">
          <span className="hidden @xl:block">
            <Thumbnail workspace={workspace} document={document} />
          </span>
          {/* The padding leaves room for the outline of the link. */}
          <div className="-mx-1 flex min-w-0 flex-1 overflow-hidden p-1">
            <Link
              to="/w/$workspace/d/$document"
              params={{ workspace, document: document.id }}
              aria-label={name.name}
              title={`${document.title}\n${document.filename}`}
              className="flex max-w-full shrink-0 hover:underline"
            >
              <Name parts={name.parts} />
            </Link>
            {name.note && (
              <span className="sr-only min-w-0 text-xs/5 text-soft @xl:not-sr-only @xl:truncate @xl:pl-2">
                {name.note}
              </span>
            )}
          </div>
          {document.state === 'searchable' && <UnfinishedMark />}
        </div>
      </td>
      <td className={`truncate text-soft ${KIND_COLUMN}`}>{kindName(document.kind)}</td>
      <td className={`text-soft tabular-nums ${SIZE_COLUMN}`}>
        {document.bytes === null ? '' : formatBytes(document.bytes)}
      </td>
      <td className={`truncate text-soft ${CHANGED_COLUMN}`} title={formatDateTime(document.uploaded_at)}>
        {formatDate(document.uploaded_at)}
      </td>
      <td className={`truncate text-soft ${UPLOADER_COLUMN}`} title={uploader}>
        {uploader}
      </td>
      <td className={`truncate text-soft ${OPENED_COLUMN}`}>
        {document.opened_on === null ? '' : dayFormat.format(new Date(document.opened_on))}
      </td>
    </tr>
  )
})

/** The service counts days by UTC. */
const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A name of which the beginning is cut first if there is little room, and the part that differs from other names last. */
function Name({ parts: { beginning, difference, ending } }: { parts: DisplayName['parts'] }) {
  if (!beginning && !ending) return <span className="truncate">{difference}</span>
  return (
    <>
      {beginning && <span className="min-w-10 truncate whitespace-pre">{beginning}</span>}
      <span
        className={`shrink-0 truncate whitespace-pre ${beginning ? 'max-w-[calc(100%-2.5rem)]' : 'max-w-full'}`}
      >
        {difference}
      </span>
      {ending && <span className="min-w-0 truncate whitespace-pre">{ending}</span>}
    </>
  )
}

function UnfinishedMark() {
  const text = t(
    'Its words can be searched. The graph or the search by meaning does not include it yet, but will soon.',
  )
  return (
    <span title={text} className="shrink-0 text-soft">
      <Clock3 size={14} aria-hidden />
      <span className="sr-only">{text}</span>
    </span>
  )
}
