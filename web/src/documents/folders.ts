// The folders of a workspace as a tree: which of them are visible, and where the keys lead (ARIA's pattern of a tree). The root
// is a folder, too: its path is empty, and all others lie in it.

export interface Folder {
  path: string
  document_count: number
}

export interface TreeItem extends Folder {
  /** Empty for the root. */
  name: string
  /** From 1. */
  level: number
  isParent: boolean
}

export const ROOT = ''

/** The root and all folders, each before those that it contains; folders beside each other in the order of the reader's language. */
export function treeItems(folders: readonly Folder[], documentCount: number, locale: string): TreeItem[] {
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const order = (a: readonly string[], b: readonly string[]): number => {
    for (const [index, step] of a.entries()) {
      const other = b[index]
      if (other === undefined) return 1
      const difference = compare(step, other) || (step < other ? -1 : step > other ? 1 : 0)
      if (difference !== 0) return difference
    }
    return a.length - b.length
  }
  const sorted = folders
    .map((folder) => ({ folder, steps: folder.path.split('/') }))
    .sort((a, b) => order(a.steps, b.steps))
  const root = {
    path: ROOT,
    document_count: documentCount,
    name: '',
    level: 1,
    isParent: folders.length > 0,
  }
  const items = sorted.map(({ folder, steps }, index) => ({
    ...folder,
    name: steps.at(-1) ?? folder.path,
    level: steps.length + 1,
    isParent: sorted[index + 1]?.folder.path.startsWith(`${folder.path}/`) ?? false,
  }))
  return [root, ...items]
}

/** The folder around a folder. Undefined for the root. */
export const parentOf = (path: string): string | undefined =>
  path === ROOT ? undefined : path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The last part of a path. */
export const lastStep = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The path that a folder or file of this name has in a folder. */
export const pathIn = (folder: string, name: string): string => (folder === ROOT ? name : `${folder}/${name}`)

/** Whether the path is that of the folder, or below it. Everything is in the root. */
export const isWithin = (path: string, folder: string): boolean =>
  folder === ROOT || path === folder || path.startsWith(`${folder}/`)

/** A folder that is moved or renamed: its path, and the one that it gets. */
export interface FolderMove {
  from: string
  to: string
}

/** Where a path is after the move of a folder. */
export const pathAfter = (path: string, { from, to }: FolderMove): string =>
  isWithin(path, from) ? `${to}${path.slice(from.length)}` : path

/**
 * Where a reader of a folder is to be after it was moved. Undefined: where he is.
 * @param movedPaths where the documents are now, if only some of those in the folder were moved
 */
export function folderToFollow(
  folder: string,
  move: FolderMove,
  movedPaths?: readonly string[],
): string | undefined {
  const next = pathAfter(folder, move)
  const isMoved = isWithin(folder, move.from) && (movedPaths?.some((path) => isWithin(path, next)) ?? true)
  return isMoved ? next : undefined
}

/** A folder as somebody typed it in the form of paths. What is no relative path stays as it is; the service refuses it. */
export function typedFolder(text: string): string {
  const path = text.normalize('NFC').replaceAll('\\', '/').trim()
  return path.startsWith('/')
    ? path
    : path
        .split('/')
        .filter((step) => step !== '' && step !== '.')
        .join('/')
}

/** Whether a folder can have this name. */
export const isFolderName = (name: string): boolean => !/[/\\]/.test(name) && !['', '.', '..'].includes(name)

/** The folders around a folder, the outermost, which is the root, first. */
export function ancestorsOf(path: string): string[] {
  const parent = parentOf(path)
  return parent === undefined ? [] : [...ancestorsOf(parent), parent]
}

/** The folders of which every folder around them is open. */
export function visibleItems(items: readonly TreeItem[], open: ReadonlySet<string>): TreeItem[] {
  const visible = new Set<string>()
  return items.filter(({ path }) => {
    const parent = parentOf(path)
    const isVisible = parent === undefined || (visible.has(parent) && open.has(parent))
    if (isVisible) visible.add(path)
    return isVisible
  })
}

export type TreeStep = { focus: string } | { open: string } | { close: string } | undefined

/** What a key does in the tree of the visible items while one of them has the focus. A letter leads to the next name with it. */
export function stepOfKey(
  key: string,
  items: readonly TreeItem[],
  path: string,
  open: ReadonlySet<string>,
): TreeStep {
  const index = items.findIndex((item) => item.path === path)
  const item = items[index]
  const focus = (other: TreeItem | undefined): TreeStep => other && { focus: other.path }
  switch (key) {
    case 'ArrowDown':
      return focus(items[index + 1])
    case 'ArrowUp':
      return focus(items[index - 1])
    case 'Home':
      return focus(items[0])
    case 'End':
      return focus(items.at(-1))
    case 'ArrowRight':
      if (!item?.isParent) return undefined
      return open.has(path) ? focus(items[index + 1]) : { open: path }
    case 'ArrowLeft':
      if (item?.isParent && open.has(path)) return { close: path }
      return focus(items.find((other) => other.path === parentOf(path)))
    default: {
      if ([...key].length !== 1) return undefined
      const following = [...items.slice(index + 1), ...items.slice(0, index)]
      return focus(following.find(({ name }) => name.toLowerCase().startsWith(key.toLowerCase())))
    }
  }
}
