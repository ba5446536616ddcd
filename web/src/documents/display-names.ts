// The names of documents in a list. Many titles begin in the same way, such as "Quarterly report of the harbour office 2023 Q3". If
// they are cut at their end, they all look the same. So a name is divided, and its beginning is cut before the part that differs.

export interface NamedDocument {
  title: string
  /** Its path as uploaded. */
  filename: string
}

export interface DisplayName {
  name: string
  /** What else names the document: its file, or its title if the file's name is shown. Empty if it would only repeat the name. */
  note: string
  /** The parts of the name, which together are the name. */
  parts: NameParts
}

export interface NameParts {
  /** What the names of other documents begin with, too. Empty if the name is not divided. */
  beginning: string
  /** What differs. */
  difference: string
  /** What the names of other documents end with, too. */
  ending: string
}

/** If so many documents have the same title, the names of their files are shown instead. */
const MIN_SHARED = 3

interface PageNames {
  before: readonly NamedDocument[] | undefined
  after: readonly NamedDocument[] | undefined
  names: DisplayName[]
}
const namesByPage = new WeakMap<readonly NamedDocument[], PageNames>()

/**
 * The names of a list that is loaded in pages. Each document is compared with those of its page and of the pages beside it, so that a
 * new page of a long list takes no longer than one of a short list.
 */
export const namesOfPages = (pages: readonly (readonly NamedDocument[])[]): DisplayName[] =>
  pages.flatMap((page, index) => {
    const [before, after] = [pages[index - 1], pages[index + 1]]
    const lastNames = namesByPage.get(page)
    if (lastNames && lastNames.before === before && lastNames.after === after) return lastNames.names
    const start = before?.length ?? 0
    const names = displayNames([...(before ?? []), ...page, ...(after ?? [])]).slice(
      start,
      start + page.length,
    )
    namesByPage.set(page, { before, after, names })
    return names
  })

/** The names of the documents of a list, in its order. */
export function displayNames(documents: readonly NamedDocument[]): DisplayName[] {
  const titles = documents.map(titleOfFile)
  const titleCounts = countsOf(titles.map(keyOf))
  const isShared = titles.map((title) => (titleCounts.get(keyOf(title)) ?? 0) >= MIN_SHARED)
  const fileNames = documents.map(({ filename }) => fileNameOf(filename))
  const fileNameCounts = countsOf(fileNames.filter((_, index) => isShared[index]))
  const names = documents.map(({ title, filename }, index) => {
    const fileName = fileNames[index] ?? filename
    if (!isShared[index]) return title
    return fileNameCounts.get(fileName) === 1 ? fileName : filename
  })
  const parts = divideNames(names)
  return documents.map(({ title }, index) => {
    const name = names[index] ?? title
    const fileName = fileNames[index] ?? ''
    return {
      name,
      note: isShared[index] ? (titles[index] ?? '') : tells(title, fileName) ? '' : fileName,
      parts: parts[index] ?? { beginning: '', difference: name, ending: '' },
    }
  })
}

const fileNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const keyOf = (title: string): string => title.trim().toLowerCase()

/** A name without the extension of its file. */
function stemOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.')
  return dot > 0 ? fileName.slice(0, dot) : fileName
}

/** Whether a title already says the name of its file. */
const tells = (title: string, fileName: string): boolean =>
  keyOf(title) === keyOf(stemOf(fileName)) || keyOf(title).endsWith(keyOf(` – ${stemOf(fileName)}`))

/**
 * The title as it is in the file. The service adds the name or the path of the file if another document has the title
 * (docs/decisions/0026-titles.md).
 */
function titleOfFile({ title, filename }: NamedDocument): string {
  for (const addition of [` – ${stemOf(fileNameOf(filename))}`, ` – ${filename}`])
    if (title.length > addition.length && title.endsWith(addition)) return title.slice(0, -addition.length)
  return title
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

// Names that have fewer letters in common are not divided: even in a narrow column so many letters are visible.
const MIN_COMMON = 12
// A longer difference may be cut itself, so it is divided again among the names that are similar there.
const MAX_DIFFERENCE = 28

/** The difference of a name is between these positions. */
interface Division {
  start: number
  end: number
}

/**
 * Divides each name into what other names begin with, what differs, and what they end with. Of the names that begin with the same
 * twelve letters, no two that differ have the same difference.
 */
export function divideNames(names: readonly string[]): NameParts[] {
  const divisions = new Map<number, Division>()
  for (const group of groupsOf(names, [...names.keys()], 0))
    for (const [index, division] of divideGroup(names, group)) divisions.set(index, division)
  return names.map((name, index) => {
    const { start, end } = divisions.get(index) ?? { start: 0, end: name.length }
    return { beginning: name.slice(0, start), difference: name.slice(start, end), ending: name.slice(end) }
  })
}

/** The names that have the same letters from `start` on, in groups of two and more. */
function groupsOf(names: readonly string[], indexes: readonly number[], start: number): number[][] {
  const isLongEnough = (index: number): boolean => (names[index]?.length ?? 0) >= start + MIN_COMMON
  const groups = groupedBy(indexes.filter(isLongEnough), (index) =>
    names[index]?.slice(start, start + MIN_COMMON),
  )
  return [...groups.values()].filter((group) => group.length > 1)
}

function groupedBy<Item, Key>(items: Iterable<Item>, keyOfItem: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOfItem(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

function divideGroup(names: readonly string[], group: readonly number[]): Map<number, Division> {
  const divisions = divideAt(names, group, 0)
  const deeperDivisions = new Map(divisions)
  divideFurther(names, deeperDivisions)
  const differences = [...deeperDivisions].map(([index, { start, end }]) => names[index]?.slice(start, end))
  const distinctNames = new Set(group.map((index) => names[index]))
  return new Set(differences).size === distinctNames.size ? deeperDivisions : divisions
}

/** Divides long differences again, among those that begin with the same letters. */
function divideFurther(names: readonly string[], divisions: Map<number, Division>): void {
  const longDivisions = [...divisions].filter(([, { start, end }]) => end - start > MAX_DIFFERENCE)
  for (const [start, entries] of groupedBy(longDivisions, ([, division]) => division.start))
    for (const group of groupsOf(
      names,
      entries.map(([index]) => index),
      start,
    )) {
      const deeper = divideAt(names, group, start)
      const isDeeper = [...deeper].some(
        ([index, division]) => division.start > (divisions.get(index)?.start ?? 0),
      )
      if (!isDeeper) continue
      divideFurther(names, deeper)
      for (const [index, division] of deeper) divisions.set(index, division)
    }
}

/** Divides names that are the same before `from`. */
function divideAt(names: readonly string[], group: readonly number[], from: number): Map<number, Division> {
  const texts = group.map((index) => names[index] ?? '')
  const [first = ''] = texts
  const common = texts.reduce((length, text) => commonLength(first, text, length), first.length)
  const start = wordStart(first, common, from)
  const ends = texts.map((text) => text.length)
  const shortest = Math.min(...ends) - start
  const commonEnd = texts.reduce((length, text) => commonEndLength(first, text, length), shortest)
  const ending = endingLength(first, commonEnd)
  return new Map(group.map((index, i) => [index, { start, end: (ends[i] ?? 0) - ending }]))
}

function commonLength(a: string, b: string, max: number): number {
  let length = 0
  while (length < max && length < b.length && a[length] === b[length]) length++
  return length
}

function commonEndLength(a: string, b: string, max: number): number {
  let length = 0
  while (length < max && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}

const SEPARATOR = /[\s\p{P}]/u
// A longer word, or a script without spaces, is divided within.
const MAX_WORD = 16
/** Characters that belong to the one before: marks, joiners, and the second half of a pair. */
const CONTINUES = /^(?:\p{M}|\p{Cs}|[\u200d\ufe0f])/u

/** The last position at most `at` at which a word begins, but not before `from`. */
function wordStart(text: string, at: number, from: number): number {
  for (let position = at; position > Math.max(from, at - MAX_WORD); position--)
    if (SEPARATOR.test(text[position - 1] ?? '')) return position
  if (at - MAX_WORD < from) return from
  let position = at
  while (position > from && CONTINUES.test(text.slice(position))) position--
  return position
}

/** The length of the end that begins with a separator and has at most `max` letters. */
function endingLength(text: string, max: number): number {
  for (let length = max; length > 0; length--)
    if (SEPARATOR.test(text[text.length - length] ?? '')) return length
  return 0
}
