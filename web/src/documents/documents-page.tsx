// The documents of a workspace: a table that stays quick with ten thousand rows, and files dropped anywhere on it.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { FolderUp, RefreshCw, Trash2, Upload } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { inputClass } from '../parts/field.tsx'
import { formatCount, plural } from '../parts/format.ts'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { announce } from '../parts/toast.tsx'
import { type Document, documentsQuery, workspaceQuery } from '../queries.ts'
import { api } from '../session.ts'
import { ExampleLibrary } from '../shell/example-library.tsx'
import { filesOfInput } from './chosen-files.ts'
import { startUpload } from './uploads.ts'

const ROW_PIXELS = 36
const PAUSE_MS = 150

export function DocumentsPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { q } = useSearch({ from: '/w/$workspace/documents' })
  const list = useInfiniteQuery(documentsQuery(workspace, q))
  const { data: about } = useQuery(workspaceQuery(workspace))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const documents = list.data?.pages.flatMap((page) => page.data) ?? []
  const isEmpty = list.data !== undefined && documents.length === 0
  return (
    <div className="flex h-full flex-col px-4 pt-4 md:px-6">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Filter />
        <span className="text-sm text-soft">{about && plural(about.document_count, 'document')}</span>
        <div className="ml-auto flex gap-2">
          <UploadButtons workspace={workspace} />
        </div>
      </div>
      {selected.size > 0 && (
        <Selection workspace={workspace} selected={selected} clear={() => setSelected(new Set())} />
      )}
      {list.error && !list.data && <Problem error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={10} />}
      {isEmpty && q && <Empty title="No document has this in its title">Try fewer letters.</Empty>}
      {isEmpty && !q && (
        <Empty title="No documents yet" action={<ExampleLibrary workspace={workspace} />}>
          Drop files or folders here: PDF, Word, PowerPoint, Excel, CSV, Markdown, text, HTML, e-mail,
          pictures and scans. They can be searched as soon as they are read.
        </Empty>
      )}
      {documents.length > 0 && (
        <DocumentTable
          workspace={workspace}
          documents={documents}
          selected={selected}
          select={setSelected}
          more={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
        />
      )}
    </div>
  )
}

function Filter() {
  const { q } = useSearch({ from: '/w/$workspace/documents' })
  const navigate = useNavigate({ from: '/w/$workspace/documents' })
  const [typed, setTyped] = useState(q ?? '')
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed !== (q ?? '')) void navigate({ search: typed ? { q: typed } : {}, replace: true })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, q, navigate])
  return (
    <input
      type="search"
      aria-label="Filter by title"
      placeholder="Filter by title"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className={`${inputClass} max-w-72`}
    />
  )
}

function UploadButtons({ workspace }: { workspace: string }) {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const start = (input: HTMLInputElement): void => {
    if (input.files) startUpload(workspace, filesOfInput(input.files))
    input.value = ''
  }
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        onChange={(event) => start(event.target)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label="A folder to upload"
        {...{ webkitdirectory: '' }}
        onChange={(event) => start(event.target)}
      />
      <Button onClick={() => folder.current?.click()}>
        <FolderUp size={14} /> Folder
      </Button>
      <Button kind="primary" onClick={() => files.current?.click()}>
        <Upload size={14} /> Upload files
      </Button>
    </>
  )
}

interface TableProps {
  workspace: string
  documents: readonly Document[]
  selected: ReadonlySet<string>
  select: (selected: ReadonlySet<string>) => void
  more: (() => void) | undefined
}

function DocumentTable({ workspace, documents, selected, select, more }: TableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: documents.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 20,
  })
  const shown = rows.getVirtualItems()
  const above = shown[0]?.start ?? 0
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? 0)
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= documents.length - 40) more?.()
  }, [last, documents.length, more])
  const all = documents.every(({ id }) => selected.has(id))
  const toggle = (id: string): void => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    select(next)
  }
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto border-t border-line">
      <table aria-rowcount={documents.length + 1} className="w-full table-fixed text-left text-sm">
        <caption className="sr-only">Documents</caption>
        <thead className="sticky top-0 z-10 bg-paper text-xs text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="w-8 py-1.5">
              <input
                type="checkbox"
                aria-label="Select all documents shown"
                checked={all}
                onChange={() => select(all ? new Set() : new Set(documents.map(({ id }) => id)))}
              />
            </th>
            <th scope="col" className="font-medium">
              Title
            </th>
            <th scope="col" className="hidden w-28 font-medium sm:table-cell">
              Tables
            </th>
            <th scope="col" className="w-24 text-right font-medium">
              Passages
            </th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr style={{ height: above }} />}
          {shown.map(({ index }) => {
            const document = documents[index]
            return (
              document && (
                <Row
                  key={document.id}
                  workspace={workspace}
                  document={document}
                  index={index}
                  selected={selected.has(document.id)}
                  toggle={() => toggle(document.id)}
                />
              )
            )
          })}
          {below > 0 && <tr style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  workspace: string
  document: Document
  index: number
  selected: boolean
  toggle: () => void
}

function Row({ workspace, document, index, selected, toggle }: RowProps) {
  return (
    <tr
      aria-rowindex={index + 2}
      className={`border-b border-line hover:bg-back ${selected ? 'bg-tint' : ''}`}
      style={{ height: ROW_PIXELS }}
    >
      <td>
        <input type="checkbox" aria-label={`Select ${document.title}`} checked={selected} onChange={toggle} />
      </td>
      <td className="truncate pr-4">
        <Link
          to="/w/$workspace/d/$document"
          params={{ workspace, document: document.id }}
          className="hover:underline"
        >
          {document.title}
        </Link>
      </td>
      <td className="hidden text-soft sm:table-cell">{document.has_tables ? 'yes' : ''}</td>
      <td className="text-right text-soft tabular-nums">{formatCount(document.chunk_count)}</td>
    </tr>
  )
}

function Selection({
  workspace,
  selected,
  clear,
}: {
  workspace: string
  selected: ReadonlySet<string>
  clear: () => void
}) {
  const [deleting, setDeleting] = useState(false)
  const queries = useQueryClient()
  const each = async (act: (document_id: string) => Promise<unknown>): Promise<void> => {
    for (const id of selected) await act(id)
  }
  const settled = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['workspace', workspace] })
    setDeleting(false)
    clear()
  }
  const remove = useMutation({
    mutationFn: () => each((document_id) => api.deleteDocument({ workspace_id: workspace, document_id })),
    onSettled: settled,
    onError: (error) => announce(error.message),
  })
  const reindex = useMutation({
    mutationFn: () => each((document_id) => api.reindexDocument({ workspace_id: workspace, document_id })),
    onSuccess: () =>
      announce(`${plural(selected.size, 'document')} will be read anew. The present text stays until then.`),
    onSettled: settled,
    onError: (error) => announce(error.message),
  })
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2 rounded-lg bg-tint px-3 py-1.5 text-sm">
      <span role="status">{plural(selected.size, 'document')} selected</span>
      <Button kind="quiet" onClick={clear}>
        Clear
      </Button>
      <div className="ml-auto flex gap-2">
        <Button onClick={() => reindex.mutate()} disabled={reindex.isPending}>
          <RefreshCw size={14} /> Read anew
        </Button>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          <Trash2 size={14} /> Delete
        </Button>
      </div>
      <Dialog
        open={deleting}
        onOpenChange={setDeleting}
        title={`Delete ${plural(selected.size, 'document')}?`}
        description="Their passages, tables and their share of the graph are deleted for everyone in this workspace. This cannot be undone."
      >
        <div className="flex justify-end gap-2">
          <Button onClick={() => setDeleting(false)}>Keep</Button>
          <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Delete
          </Button>
        </div>
      </Dialog>
    </div>
  )
}
