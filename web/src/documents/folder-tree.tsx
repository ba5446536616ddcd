// The folders of a workspace as a tree beside the list, or as a select above it on narrow windows.

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, Ellipsis, Folder as FolderIcon, FolderOpen } from 'lucide-react'
import {
  type DragEvent,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { locale } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'
import { toolInputClass } from '../parts/field.tsx'
import { formatCount } from '../parts/format.ts'
import { foldersQuery, workspaceQuery } from '../queries.ts'
import { beginDrag, canDrop, type Drag, isMove } from './drag.ts'
import {
  ancestorsOf,
  lastStep,
  pathAfter,
  ROOT,
  stepOfKey,
  type TreeItem,
  treeItems,
  visibleItems,
} from './folders.ts'
import type { FolderActions } from './use-folder-actions.tsx'

const FROM = { from: '/w/$workspace/documents' } as const

interface Folders {
  /** Empty if no document lies in a folder. */
  items: readonly TreeItem[]
  /** The workspace has more folders than the items. */
  hasMore: boolean
  /** The folder in the address. */
  folder: string
  choose: (path: string) => void
}

interface TreeProps extends Folders {
  /** What may be done with folders. Undefined for readers who may change nothing. */
  actions: FolderActions | undefined
  drag: RefObject<Drag | undefined>
  /** Moves dragged documents to a folder. */
  dropDocuments: (documentIds: readonly string[], folder: string) => void
}

export function useFolders(workspace: string): Folders {
  const { folder = ROOT } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const { data } = useQuery(foldersQuery(workspace))
  const folders = data?.data
  const { data: workspaceData } = useQuery(workspaceQuery(workspace))
  const documentCount = workspaceData?.document_count ?? 0
  const items = useMemo(
    // Whoever is in a folder that is no more has a way out of it.
    () =>
      folders && (folders.length > 0 || folder !== ROOT) ? treeItems(folders, documentCount, locale) : [],
    [folders, documentCount, folder],
  )
  const choose = useCallback(
    (path: string): void =>
      void navigate({
        search: ({ folder: _, ...rest }) => (path === ROOT ? rest : { ...rest, folder: path }),
      }),
    [navigate],
  )
  return { items, hasMore: data?.has_more ?? false, folder, choose }
}

export function FolderTree(props: TreeProps) {
  const { items, hasMore, folder, choose, actions, drag, dropDocuments } = props
  const [openPaths, setOpenPaths] = useState<ReadonlySet<string>>(new Set([ROOT]))
  const [focusedPath, setFocusedPath] = useState<string>()
  const tree = useRef<HTMLDivElement>(null)
  // The folder of the address is visible, however the reader came there.
  useEffect(() => setOpenPaths((paths) => new Set([...paths, ...ancestorsOf(folder)])), [folder])
  const lastMove = actions?.lastMove
  useEffect(() => {
    if (!lastMove) return
    setOpenPaths(
      (paths) =>
        // What was at the destination before, and stays when the move is undone, stays open.
        new Set([
          ...paths,
          ...[...paths].map((path) => pathAfter(path, lastMove)),
          ...ancestorsOf(lastMove.to),
        ]),
    )
  }, [lastMove])
  const shownItems = useMemo(() => visibleItems(items, openPaths), [items, openPaths])
  const isShown = (path: string | undefined): path is string => shownItems.some((item) => item.path === path)
  const movedPath = focusedPath && lastMove && pathAfter(focusedPath, lastMove)
  const tabStop = [focusedPath, movedPath, folder].find(isShown) ?? ROOT
  const setOpen = useCallback(
    (path: string, isOpen: boolean): void =>
      setOpenPaths((paths) => {
        const next = new Set(paths)
        if (isOpen) next.add(path)
        else next.delete(path)
        return next
      }),
    [],
  )
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' || event.key === ' ') choose(tabStop)
    else if (event.key === 'Delete' && actions && tabStop !== ROOT) actions.trash(tabStop)
    else if (event.key === 'F2' && actions && tabStop !== ROOT) actions.rename(tabStop)
    else if (event.key === 'F10' && event.shiftKey && actions && tabStop !== ROOT) {
      const { left, bottom } =
        event.target instanceof Element ? event.target.getBoundingClientRect() : NOWHERE
      actions.openMenu(tabStop, { left: left + MENU_INDENT_PIXELS, top: bottom })
    } else {
      const step = stepOfKey(event.key, shownItems, tabStop, openPaths)
      if (!step) return
      if ('open' in step) setOpen(step.open, true)
      else if ('close' in step) setOpen(step.close, false)
      else focusItem(tree.current, step.focus)
    }
    event.preventDefault()
  }
  // The focus stays with a folder that is moved: its element is another one there.
  const hasFocus = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever an element may have gone
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) focusItem(tree.current, tabStop)
  }, [shownItems])
  const [dropPath, setDropPath] = useState<string>()
  const pathUnder = ({ target }: DragEvent): string | undefined =>
    target instanceof Element ? target.closest<HTMLElement>('[data-path]')?.dataset.path : undefined
  const onDragStart = (event: DragEvent): void => {
    const path = pathUnder(event)
    if (!path) return
    drag.current = { folder: path }
    beginDrag(event, lastStep(path))
  }
  const onDragOver = (event: DragEvent): void => {
    const path = pathUnder(event)
    const isTaken = path !== undefined && isMove(event) && canDrop(drag.current, path)
    setDropPath(isTaken ? path : undefined)
    if (isTaken) event.preventDefault()
  }
  const onDrop = (event: DragEvent): void => {
    const path = pathUnder(event)
    const { current } = drag
    setDropPath(undefined)
    if (path === undefined || !isMove(event) || !canDrop(current, path)) return
    event.preventDefault()
    if ('folder' in current) actions?.moveInto(current.folder, path)
    else dropDocuments(current.documentIds, path)
  }
  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label={t('Folders')}
        onKeyDown={onKeyDown}
        onFocus={() => {
          hasFocus.current = true
        }}
        onBlur={() => {
          hasFocus.current = false
        }}
        onDragStart={onDragStart}
        onDragEnd={() => {
          drag.current = undefined
        }}
        onDragOver={onDragOver}
        onDragLeave={() => setDropPath(undefined)}
        onDrop={onDrop}
        className="text-sm"
      >
        {shownItems.map((item) => (
          <Item
            key={item.path}
            item={item}
            isOpen={openPaths.has(item.path)}
            isChosen={item.path === folder}
            isTabStop={item.path === tabStop}
            isDropTarget={item.path === dropPath}
            choose={choose}
            setOpen={setOpen}
            actions={item.path === ROOT ? undefined : actions}
            onFocus={setFocusedPath}
          />
        ))}
      </div>
      {hasMore && <p className="px-2 py-3 text-xs text-soft">{missingFolders(items)}</p>}
    </>
  )
}

const NOWHERE = { left: 0, bottom: 0 }
const MENU_INDENT_PIXELS = 24

const focusItem = (tree: Element | null, path: string): void =>
  tree?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus()

/** Says that folders are missing. The root is an item, too. */
const missingFolders = (items: readonly TreeItem[]): string =>
  t(
    'Only the {count} topmost folders are listed here. Documents in other folders are found by their names.',
    {
      count: formatCount(items.length - 1),
    },
  )

interface ItemProps {
  item: TreeItem
  isOpen: boolean
  isChosen: boolean
  isTabStop: boolean
  /** What is dragged would be moved to this folder. */
  isDropTarget: boolean
  choose: (path: string) => void
  setOpen: (path: string, isOpen: boolean) => void
  actions: FolderActions | undefined
  onFocus: (path: string) => void
}

const INDENT_PIXELS = 14
/** Deeper folders are not indented further, so that their names have room. */
const MAX_INDENTS = 7

const nameOf = ({ path, name }: TreeItem): string => (path === ROOT ? t('All documents') : name)

// A key changes two items of possibly thousands.
const Item = memo(function Item(props: ItemProps) {
  const { item, isOpen, isChosen, isTabStop, isDropTarget, choose, setOpen, actions, onFocus } = props
  const { path, level, document_count, isParent } = item
  const Icon = isChosen ? FolderOpen : FolderIcon
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    <div
      role="treeitem"
      data-path={path}
      aria-level={level}
      aria-expanded={isParent ? isOpen : undefined}
      aria-selected={isChosen}
      aria-haspopup={actions && 'menu'}
      aria-keyshortcuts={actions && 'Shift+F10 F2 Delete'}
      draggable={actions !== undefined}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => choose(path)}
      onContextMenu={(event) => {
        if (!actions) return
        event.preventDefault()
        actions.openMenu(path, { left: event.clientX, top: event.clientY })
      }}
      onFocus={() => onFocus(path)}
      title={path || undefined}
      className={`group relative flex h-8 cursor-pointer items-center gap-1.5 rounded-md pr-2 -outline-offset-2 [contain-intrinsic-size:auto_2rem] [content-visibility:auto] ${isChosen ? 'bg-tint font-medium' : 'hover:bg-line/60'} ${isDropTarget ? 'bg-tint outline-2 outline-accent' : ''}`}
      style={{ paddingInlineStart: Math.min(level - 1, MAX_INDENTS) * INDENT_PIXELS }}
    >
      {isParent ? (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the mouse; the arrow keys do the same
        <span
          onClick={(event) => {
            event.stopPropagation()
            setOpen(path, !isOpen)
          }}
          className="flex size-6 shrink-0 items-center justify-center rounded text-soft hover:text-ink"
        >
          <ChevronRight size={14} aria-hidden className={isOpen ? 'rotate-90' : ''} />
        </span>
      ) : (
        <span className="w-6 shrink-0" />
      )}
      <Icon size={15} strokeWidth={1.5} aria-hidden className="shrink-0 text-soft" />
      <span className="min-w-0 flex-1 truncate">{nameOf(item)}</span>
      <span
        aria-hidden
        className={`shrink-0 text-xs font-normal text-soft tabular-nums ${actions ? 'group-hover:hidden' : ''}`}
      >
        {formatCount(document_count)}
      </span>
      {actions && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the mouse; Shift+F10 does the same
        <span
          title={t('Actions for “{folder}”', { folder: nameOf(item) })}
          onClick={(event) => {
            event.stopPropagation()
            actions.toggleMenu(path, event)
          }}
          className="-mr-1 hidden size-6 shrink-0 items-center justify-center rounded text-soft group-hover:flex hover:bg-line hover:text-ink"
        >
          <Ellipsis size={14} aria-hidden />
        </span>
      )}
      <span className="sr-only">{plural(document_count, 'document')}</span>
    </div>
  )
})

export function FolderSelect({ items, hasMore, folder, choose }: Folders) {
  return (
    <select
      aria-label={t('Folder')}
      value={folder}
      onChange={({ target }) => choose(target.value)}
      className={`${toolInputClass} max-w-40 px-2! sm:max-w-64 xl:hidden`}
    >
      {items.some(({ path }) => path === folder) || <option value={folder}>{folder}</option>}
      {items.map((item) => (
        <option key={item.path} value={item.path}>
          {t('{folder} ({count})', {
            folder: item.path || t('All folders'),
            count: formatCount(item.document_count),
          })}
        </option>
      ))}
      {hasMore && <option disabled>{missingFolders(items)}</option>}
    </select>
  )
}
