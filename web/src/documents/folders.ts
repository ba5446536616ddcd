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
