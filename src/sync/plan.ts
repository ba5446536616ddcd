// What a sync has to do, pure: from what the source holds, what the sync put into the workspace, and what it remembers.
//
// A workspace keeps the same bytes once, whatever their names. So the unit is the content: for each content of the source one
// document, at one of its paths.

/** A file of the source. */
export interface Entry {
  /** Its name at the service. */
  path: string
  /** SHA-256 of its bytes. */
  hash: string
}

/** A document that the sync put into the workspace, as it is now. */
export interface Owned {
  id: string
  path: string
  hash: string
}

/** What became of a path when it was last sent. */
export interface Remembered {
  hash: string
  /**
   * `ours`: it became the document. `theirs`: somebody else's document has the same bytes, and is left alone. `refused`: it
   * cannot be read; the document, if there is one, has the content before.
   */
  state: 'ours' | 'theirs' | 'refused'
  document_id?: string
  /** The document lies beside somebody else's of the same name, as "name (2).md". */
  beside?: boolean
  reason?: string
}

export interface Plan<E extends Entry = Entry> {
  /** New content at a document's place. */
  replace: { entry: E; document: Owned }[]
  /** The content is sent to a new path; the document at the old path is deleted just before. */
  move: { entry: E; document: Owned }[]
  create: E[]
  /** Gone at the source. */
  remove: Owned[]
  /** Paths whose content is at the service, with the document that holds it, and whether that lies beside a namesake. */
  settled: { entry: E; documentId: string | undefined; beside: boolean }[]
  /** Files that could not be read when they were last sent, and have not changed since. */
  refused: { entry: E; reason: string }[]
}

/**
 * @param theirs ids of documents of others that still hold what was found in them
 * @param retry refused files are sent again
 */
export function makePlan<E extends Entry>(
  entries: readonly E[],
  owned: readonly Owned[],
  remembered: ReadonlyMap<string, Remembered>,
  { theirs = new Set<string>(), retry = false }: { theirs?: ReadonlySet<string>; retry?: boolean } = {},
): Plan<E> {
  const plan: Plan<E> = { replace: [], move: [], create: [], remove: [], settled: [], refused: [] }
  const atPath = homes(owned, remembered)
  const unassigned = new Map(owned.map((document) => [document.id, document]))
  const take = (document: Owned): void => void unassigned.delete(document.id)

  // Files that cannot be read keep the document that their path had before.
  const open: E[] = []
  for (const entry of entries) {
    const last = remembered.get(entry.path)
    if (last?.state === 'refused' && last.hash === entry.hash && !retry) {
      plan.refused.push({ entry, reason: last.reason ?? 'could not be read' })
      const before = atPath.get(entry.path)
      if (before) take(before)
    } else open.push(entry)
  }

  const missing: E[][] = []
  const order = new Map(owned.map((document, no) => [document, no]))
  for (const same of byHash(open)) {
    const inPlace = same
      .flatMap(({ path }) => atPath.get(path) ?? [])
      .filter(({ id, hash }) => unassigned.has(id) && hash === same[0]?.hash)
      .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))[0]
    const withMemory = same.map(({ path, hash }) => ({ hash, last: remembered.get(path) }))
    const foreign = withMemory.find(
      ({ hash, last }) =>
        last?.state === 'theirs' && last.hash === hash && theirs.has(last.document_id ?? ''),
    )?.last?.document_id
    if (inPlace) take(inPlace)
    const documentId = inPlace?.id ?? foreign
    if (documentId === undefined) missing.push(same)
    else {
      for (const entry of same) {
        const isBeside =
          inPlace !== undefined && atPath.get(entry.path) === inPlace && inPlace.path !== entry.path
        plan.settled.push({ entry, documentId, beside: isBeside })
      }
    }
  }

  for (const same of missing) {
    // Of several paths the one whose document gets the new content; else the first.
    const target = same.find(({ path }) => unassigned.has(atPath.get(path)?.id ?? '')) ?? same[0]
    if (!target) continue
    const before = atPath.get(target.path)
    if (before && unassigned.has(before.id)) {
      take(before)
      plan.replace.push({ entry: target, document: before })
    } else plan.create.push(target)
    for (const entry of same)
      if (entry !== target) plan.settled.push({ entry, documentId: undefined, beside: false })
  }

  // A document whose content is wanted at another path has to go first: the service would keep the bytes where they are.
  const pendingCreates = new Map(plan.create.map((entry) => [entry.hash, entry]))
  for (const document of unassigned.values()) {
    const entry = pendingCreates.get(document.hash)
    if (entry) {
      pendingCreates.delete(document.hash)
      plan.move.push({ entry, document })
    } else plan.remove.push(document)
  }
  const moved = new Set(plan.move.map(({ entry }) => entry))
  plan.create = plan.create.filter((entry) => !moved.has(entry))
  return plan
}

/** The document of each path. One that lies beside a namesake is known by what was remembered. */
function homes(
  owned: readonly Owned[],
  remembered: ReadonlyMap<string, Remembered>,
): ReadonlyMap<string, Owned> {
  const byId = new Map(owned.map((document) => [document.id, document]))
  const documentAt = new Map(owned.map((document) => [document.path, document]))
  for (const [path, { beside: isBeside, document_id }] of remembered) {
    const document = isBeside ? byId.get(document_id ?? '') : undefined
    if (!document) continue
    if (documentAt.get(document.path) === document) documentAt.delete(document.path)
    documentAt.set(path, document)
  }
  return documentAt
}

/** Entries of the same content together, in the order of the source. */
function byHash<E extends Entry>(entries: readonly E[]): Iterable<E[]> {
  const groups = new Map<string, E[]>()
  for (const entry of entries) {
    const group = groups.get(entry.hash)
    if (group) group.push(entry)
    else groups.set(entry.hash, [entry])
  }
  return groups.values()
}
