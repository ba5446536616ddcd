// The folders of a workspace as a tree beside the list, or as a select above it on narrow windows.

import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronRight, Folder as FolderIcon, FolderOpen, Trash2 } from 'lucide-react'
import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { locale } from '../language/locale.ts'
import { plural, t } from '../language/text.tsx'
import { toolInputClass } from '../parts/field.tsx'
import { formatCount } from '../parts/format.ts'
import { foldersQuery, workspaceQuery } from '../queries.ts'
import { ancestorsOf, ROOT, stepOfKey, type TreeItem, treeItems, visibleItems } from './folders.ts'

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
  /** Moves a folder to the trash. Undefined for readers who may not. */
  trashFolder: ((path: string) => void) | undefined
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

export function FolderTree({ items, hasMore, folder, choose, trashFolder }: TreeProps) {
  const [openPaths, setOpenPaths] = useState<ReadonlySet<string>>(new Set([ROOT]))
  const [focusedPath, setFocusedPath] = useState<string>()
  const tree = useRef<HTMLDivElement>(null)
  // The folder of the address is visible, however the reader came there.
  useEffect(() => setOpenPaths((paths) => new Set([...paths, ...ancestorsOf(folder)])), [folder])
  const shownItems = useMemo(() => visibleItems(items, openPaths), [items, openPaths])
  const isShown = (path: string | undefined): path is string => shownItems.some((item) => item.path === path)
  const tabStop = [focusedPath, folder].find(isShown) ?? ROOT
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
    else if (event.key === 'Delete' && trashFolder && tabStop !== ROOT) trashFolder(tabStop)
    else {
      const step = stepOfKey(event.key, shownItems, tabStop, openPaths)
      if (!step) return
      if ('open' in step) setOpen(step.open, true)
      else if ('close' in step) setOpen(step.close, false)
      else tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(step.focus)}"]`)?.focus()
    }
    event.preventDefault()
  }
  return (
    <>
      <div ref={tree} role="tree" aria-label={t('Folders')} onKeyDown={onKeyDown} className="text-sm">
        {shownItems.map((item) => (
          <Item
            key={item.path}
            item={item}
            isOpen={openPaths.has(item.path)}
            isChosen={item.path === folder}
            isTabStop={item.path === tabStop}
            choose={choose}
            setOpen={setOpen}
            trashFolder={item.path === ROOT ? undefined : trashFolder}
            onFocus={setFocusedPath}
          />
        ))}
      </div>
      {hasMore && <p className="px-2 py-3 text-xs text-soft">{missingFolders(items)}</p>}
    </>
  )
}

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
  choose: (path: string) => void
  setOpen: (path: string, isOpen: boolean) => void
  trashFolder: ((path: string) => void) | undefined
  onFocus: (path: string) => void
}

const INDENT_PIXELS = 14
/** Deeper folders are not indented further, so that their names have room. */
const MAX_INDENTS = 7

const nameOf = ({ path, name }: TreeItem): string => (path === ROOT ? t('All documents') : name)

// A key changes two items of possibly thousands.
const Item = memo(function Item(props: ItemProps) {
  const { item, isOpen, isChosen, isTabStop, choose, setOpen, trashFolder, onFocus } = props
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
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => choose(path)}
      onFocus={() => onFocus(path)}
      title={path || undefined}
      className={`group relative flex h-8 cursor-pointer items-center gap-1.5 rounded-md pr-2 -outline-offset-2 [contain-intrinsic-size:auto_2rem] [content-visibility:auto] ${isChosen ? 'bg-tint font-medium' : 'hover:bg-line/60'}`}
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
        className={`shrink-0 text-xs font-normal text-soft tabular-nums ${trashFolder ? 'group-hover:hidden' : ''}`}
      >
        {formatCount(document_count)}
      </span>
      {trashFolder && (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the mouse; the key Delete does the same
        <span
          title={t('Move “{folder}” to the trash', { folder: nameOf(item) })}
          onClick={(event) => {
            event.stopPropagation()
            trashFolder(path)
          }}
          className="-mr-1 hidden size-6 shrink-0 items-center justify-center rounded text-soft group-hover:flex hover:text-bad"
        >
          <Trash2 size={14} aria-hidden />
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
