// The conversations of a workspace: beside the answers if there is room and the reader has not folded them, otherwise behind a button. Only visible rows are
// rendered, so that a list of hundreds scrolls smoothly.

import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { MessageSquarePlus, PanelLeftClose, Pencil, Trash2, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { onEscape } from '../parts/escape.ts'
import { formatAgo } from '../parts/format.ts'
import { useReturnFocus } from '../parts/return-focus.ts'
import { threadsQuery } from '../queries.ts'
import { api } from '../session.ts'
import { ThreadsColumn, type ThreadsView } from './threads-button.tsx'

type Thread = Output<'listThreads'>['data'][number]
type Pages = InfiniteData<Output<'listThreads'>, string | null>

const ROW_PIXELS = 52
// The next page is requested when this many rows are left below the last visible one.
const PRELOAD_ROWS = 20

interface Props {
  workspace: string
  thread: string | undefined
  view: ThreadsView
}

export function Threads({ workspace, thread, view }: Props) {
  const list = useInfiniteQuery(threadsQuery(workspace))
  const threads = list.data?.pages.flatMap(({ data }) => data) ?? []
  const newQuestionLink = useRef<HTMLAnchorElement>(null)
  const { isOver, close } = view
  const content = (
    <>
      <div className="flex items-center p-2">
        <Link
          ref={newQuestionLink}
          to="/w/$workspace"
          params={{ workspace }}
          search={{}}
          onClick={close}
          className="flex flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-line/60"
        >
          <MessageSquarePlus size={14} /> {t('New question')}
        </Link>
        {isOver ? (
          <IconButton label={t('Close the conversations')} data-threads-toggle onClick={close}>
            <X size={16} />
          </IconButton>
        ) : (
          <IconButton
            label={t('Fold the conversations')}
            data-threads-toggle
            aria-expanded
            onClick={view.fold}
          >
            <PanelLeftClose size={16} />
          </IconButton>
        )}
      </div>
      {list.data && threads.length === 0 && (
        <p className="px-4 text-sm text-soft">{t('Your questions and their answers are kept here.')}</p>
      )}
      <List
        workspace={workspace}
        thread={thread}
        threads={threads}
        loadMore={list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined}
        onSelect={close}
        onRemoved={() => newQuestionLink.current?.focus()}
      />
    </>
  )
  return isOver ? (
    <ThreadsSheet close={close}>{content}</ThreadsSheet>
  ) : (
    <ThreadsColumn view={view}>{content}</ThreadsColumn>
  )
}

/** The list over the page. It takes the focus, and returns it when it is closed. */
function ThreadsSheet({ close, children }: { close: () => void; children: ReactNode }) {
  const sheet = useRef<HTMLElement>(null)
  useReturnFocus(sheet)
  useEffect(() => sheet.current?.querySelector('a')?.focus(), [])
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-label={t('Close the conversations')}
        className="fixed inset-0 z-20 bg-black/40"
        onClick={close}
      />
      <nav
        ref={sheet}
        aria-label={t('Conversations')}
        onKeyDown={onEscape(close)}
        className="enter-left fixed inset-y-0 left-0 z-30 flex w-[min(20rem,100%)] flex-col border-r border-line bg-paper shadow-xl"
      >
        {children}
      </nav>
    </>
  )
}

interface ListProps {
  workspace: string
  thread: string | undefined
  threads: readonly Thread[]
  loadMore: (() => void) | undefined
  onSelect: () => void
  /** Called after a deletion, which removes the button that had the focus. */
  onRemoved: () => void
}

function List({ workspace, thread, threads, loadMore, onSelect, onRemoved }: ListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [renaming, setRenaming] = useState<string>()
  const renamedId = useRef<string>(undefined)
  const removedId = useRef<string>(undefined)
  useEffect(() => {
    if (removedId.current === undefined || threads.some(({ id }) => id === removedId.current)) return
    removedId.current = undefined
    if (document.activeElement === document.body) onRemoved()
  })
  const [threadToDelete, setThreadToDelete] = useState<Thread>()
  const rows = useVirtualizer({
    count: threads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    overscan: 10,
    getItemKey: (index) => threads[index]?.id ?? index,
  })
  const visibleRows = rows.getVirtualItems()
  const lastIndex = visibleRows.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastIndex >= threads.length - PRELOAD_ROWS) loadMore?.()
  }, [lastIndex, threads.length, loadMore])
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {visibleRows.map(({ index, start, key }) => {
          const row = threads[index]
          return (
            row && (
              <li
                key={key}
                aria-setsize={threads.length}
                aria-posinset={index + 1}
                className="group absolute inset-x-0 top-0"
                style={{ height: ROW_PIXELS, transform: `translateY(${start}px)` }}
              >
                {renaming === row.id ? (
                  <Rename
                    workspace={workspace}
                    thread={row}
                    done={(isByKeyboard) => {
                      renamedId.current = isByKeyboard ? row.id : undefined
                      setRenaming(undefined)
                    }}
                  />
                ) : (
                  <Row
                    workspace={workspace}
                    thread={row}
                    isCurrent={row.id === thread}
                    onSelect={onSelect}
                    takeFocus={() => {
                      const takesFocus = renamedId.current === row.id
                      if (takesFocus) renamedId.current = undefined
                      return takesFocus
                    }}
                    rename={() => setRenaming(row.id)}
                    remove={() => setThreadToDelete(row)}
                  />
                )}
              </li>
            )
          )
        })}
      </ul>
      <Delete
        workspace={workspace}
        isCurrent={thread}
        threadToDelete={threadToDelete}
        close={() => setThreadToDelete(undefined)}
        onRemoved={(id) => {
          removedId.current = id
        }}
      />
    </div>
  )
}

interface RowProps {
  workspace: string
  thread: Thread
  isCurrent: boolean
  onSelect: () => void
  /** Whether it was just renamed by keyboard. */
  takeFocus: () => boolean
  rename: () => void
  remove: () => void
}

const onHover = 'opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100'

function Row({ workspace, thread, isCurrent, onSelect, takeFocus, rename, remove }: RowProps) {
  const { id, title, updated_at } = thread
  const link = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the row replaces the field
  useEffect(() => {
    if (takeFocus()) link.current?.focus()
  }, [])
  return (
    <>
      <Link
        ref={link}
        to="/w/$workspace"
        params={{ workspace }}
        search={{ thread: id }}
        preload={false}
        onClick={onSelect}
        title={title}
        aria-current={isCurrent ? 'page' : undefined}
        className={`block h-full rounded-md px-2 py-1.5 text-sm hover:bg-line/60 pointer-coarse:pr-18 ${isCurrent ? 'bg-line/70' : ''}`}
      >
        <span className="block truncate">{title}</span>
        <span className="block text-xs text-soft">{formatAgo(updated_at)}</span>
      </Link>
      <span className="absolute right-1 bottom-0.5 flex rounded-md bg-paper opacity-0 has-focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:top-2.5 pointer-coarse:bottom-auto pointer-coarse:bg-transparent pointer-coarse:opacity-100">
        <IconButton
          label={t('Rename “{title}”', { title })}
          onClick={rename}
          className={`size-7! ${onHover}`}
        >
          <Pencil size={13} />
        </IconButton>
        <IconButton
          label={t('Delete “{title}”', { title })}
          onClick={remove}
          className={`size-7! ${onHover}`}
        >
          <Trash2 size={13} />
        </IconButton>
      </span>
    </>
  )
}

interface RenameProps {
  workspace: string
  thread: Thread
  done: (isByKeyboard: boolean) => void
}

function Rename({ workspace, thread, done }: RenameProps) {
  const queries = useQueryClient()
  const [title, setTitle] = useState(thread.title)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const isByKeyboard = (): boolean => document.activeElement === input.current
  const save = useMutation({
    mutationFn: () =>
      api.updateThread({ workspace_id: workspace, thread_id: thread.id, title: title.trim() }),
    onSuccess: (renamed) => {
      queries.setQueryData<Pages>(
        threadsQuery(workspace).queryKey,
        (cached) => cached && withRenamed(cached, renamed),
      )
      done(isByKeyboard())
    },
  })
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (save.isPending) return
    if (title.trim() && title.trim() !== thread.title) save.mutate()
    else done(isByKeyboard())
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    done(true)
  }
  return (
    <form onSubmit={submit} className="py-1">
      <input
        ref={input}
        aria-label={t('Name of the conversation')}
        aria-invalid={save.isError}
        title={errorText(save.error)}
        value={title}
        maxLength={200}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={() => submit()}
        onKeyDown={onKeyDown}
        className="w-full rounded-md border border-edge bg-paper px-2 py-1.5 text-sm aria-invalid:border-bad"
      />
    </form>
  )
}

const withRenamed = (pages: Pages, renamed: Thread): Pages => ({
  ...pages,
  pages: pages.pages.map((page) => ({
    ...page,
    data: page.data.map((one) => (one.id === renamed.id ? renamed : one)),
  })),
})

interface DeleteProps {
  workspace: string
  isCurrent: string | undefined
  threadToDelete: Thread | undefined
  close: () => void
  onRemoved: (id: string) => void
}

function Delete({ workspace, isCurrent, threadToDelete, close, onRemoved }: DeleteProps) {
  const queries = useQueryClient()
  const navigate = useNavigate({ from: '/w/$workspace/' })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteThread({ workspace_id: workspace, thread_id: id }),
    onSuccess: async (_, id) => {
      close()
      onRemoved(id)
      if (id === isCurrent) await navigate({ search: {} })
      await queries.invalidateQueries({ queryKey: threadsQuery(workspace).queryKey })
    },
  })
  return (
    <Dialog
      open={threadToDelete !== undefined}
      onOpenChange={(open) => !open && close()}
      title={t('Delete this conversation?')}
      description={t('“{title}” with its answers and your feedback on them. This cannot be undone.', {
        title: threadToDelete?.title ?? '',
      })}
    >
      {remove.error && (
        <p role="alert" className="mb-3 text-bad">
          {errorText(remove.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={close}>{t('Cancel')}</Button>
        <Button
          kind="danger"
          disabled={remove.isPending}
          onClick={() => threadToDelete && remove.mutate(threadToDelete.id)}
        >
          {t('Delete')}
        </Button>
      </div>
    </Dialog>
  )
}
