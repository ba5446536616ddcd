// Decides what a sync has to do, from the files of the source, the documents that belong to the sync, and its state. It only
// computes.
//
// A workspace stores the same bytes only once, whatever their names. So there is one document for each content of the source, at one
// of the paths with that content.

/** A file of the source. */
export interface Entry {
  /** Its name at the service. */
  path: string
  /** SHA-256 of its bytes. */
  hash: string
}

/** A document that the sync put into the workspace, as it is now. */
export interface OwnedDocument {
  id: string
  path: string
  hash: string
}

/** The result for a path when its file was last sent. */
export interface FileResult {
  hash: string
  /**
   * `ours`: the file became the document. `theirs`: somebody else's document has the same bytes and is not touched. `refused`: the
   * file cannot be read; if there is a document, it has the previous content.
   */
  state: 'ours' | 'theirs' | 'refused'
  document_id?: string
  /**
   * Whether the document is at another path: beside somebody else's document of the same name, as "name (2).md", or where somebody
   * has moved it in the workspace.
   */
  beside?: boolean
  /** The path of the document when this was stored, if it is not the path of the file. */
  at?: string
  reason?: string
}

export interface Plan<E extends Entry = Entry> {
  /** Documents that get new content. */
  replace: { entry: E; document: OwnedDocument }[]
  /** Content that is sent to a new path. The document at the old path is deleted directly before. */
  move: { entry: E; document: OwnedDocument }[]
  create: E[]
  /** Documents whose file was deleted at the source. */
  remove: OwnedDocument[]
  /**
   * Documents whose file was deleted at the source, but which somebody has moved since the last run. A sync deletes only documents
   * that are where it last put or saw them.
   */
  leave: OwnedDocument[]
  /** Paths whose content is already at the service, with its document. `beside`: the document is at another path. */
  settled: { entry: E; documentId: string | undefined; isBeside: boolean }[]
  /** Files that could not be read when they were last sent, and have not changed since. */
  refused: { entry: E; reason: string }[]
}

/**
 * @param theirDocumentIds ids of documents of other people that still have the same bytes as a file of the source
 * @param retry whether refused files are sent again
 */
export function makePlan<E extends Entry>(
  entries: readonly E[],
  ownedDocuments: readonly OwnedDocument[],
  rememberedFiles: ReadonlyMap<string, FileResult>,
  {
    theirDocumentIds = new Set<string>(),
    retry = false,
  }: { theirDocumentIds?: ReadonlySet<string>; retry?: boolean } = {},
): Plan<E> {
  const plan: Plan<E> = { replace: [], move: [], create: [], remove: [], leave: [], settled: [], refused: [] }
  const atPath = documentsByPath(ownedDocuments, rememberedFiles)
  const unassigned = new Map(ownedDocuments.map((document) => [document.id, document]))
  const assign = (document: OwnedDocument): void => void unassigned.delete(document.id)

  // Files that cannot be read keep the document that their path had before.
  const toCompare: E[] = []
  for (const entry of entries) {
    const memory = rememberedFiles.get(entry.path)
    if (memory?.state === 'refused' && memory.hash === entry.hash && !retry) {
      plan.refused.push({ entry, reason: memory.reason ?? 'could not be read' })
      const currentDocument = atPath.get(entry.path)
      if (currentDocument) assign(currentDocument)
    } else toCompare.push(entry)
  }

  const missingContents: E[][] = []
  const order = new Map(ownedDocuments.map((document, index) => [document, index]))
  for (const sameContent of byHash(toCompare)) {
    const documentInPlace = sameContent
      .flatMap(({ path }) => atPath.get(path) ?? [])
      .filter(({ id, hash }) => unassigned.has(id) && hash === sameContent[0]?.hash)
      .sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))[0]
    const lastResults = sameContent.map(({ path, hash }) => ({ hash, result: rememberedFiles.get(path) }))
    const theirDocumentId = lastResults.find(
      ({ hash, result }) =>
        result?.state === 'theirs' && result.hash === hash && theirDocumentIds.has(result.document_id ?? ''),
    )?.result?.document_id
    if (documentInPlace) assign(documentInPlace)
    const documentId = documentInPlace?.id ?? theirDocumentId
    if (documentId === undefined) missingContents.push(sameContent)
    else {
      for (const entry of sameContent) {
        const isBeside =
          documentInPlace !== undefined &&
          atPath.get(entry.path) === documentInPlace &&
          documentInPlace.path !== entry.path
        plan.settled.push({ entry, documentId, isBeside })
      }
    }
  }

  for (const sameContent of missingContents) {
    // Of several paths with the content, the one whose document can be replaced is taken, otherwise the first.
    const target =
      sameContent.find(({ path }) => unassigned.has(atPath.get(path)?.id ?? '')) ?? sameContent[0]
    if (!target) continue
    const currentDocument = atPath.get(target.path)
    if (currentDocument && unassigned.has(currentDocument.id)) {
      assign(currentDocument)
      plan.replace.push({ entry: target, document: currentDocument })
    } else plan.create.push(target)
    for (const entry of sameContent)
      if (entry !== target) plan.settled.push({ entry, documentId: undefined, isBeside: false })
  }

  // If the content of a document moves to another path, the document is deleted first. Otherwise the service would say that it
  // already has these bytes. A document that somebody has moved is not deleted: it stays where it is, with the file's new path.
  const placesById = placesOfDocuments(rememberedFiles)
  const wasMoved = ({ id, path }: OwnedDocument): boolean => placesById.get(id)?.has(path) === false
  const pendingCreates = new Map(plan.create.map((entry) => [entry.hash, entry]))
  for (const document of unassigned.values()) {
    const entry = pendingCreates.get(document.hash)
    if (entry) pendingCreates.delete(document.hash)
    if (wasMoved(document)) {
      // First, because the document's old path may be settled with another document, and then nothing would name this one.
      if (entry) plan.settled.unshift({ entry, documentId: document.id, isBeside: true })
      else plan.leave.push(document)
    } else if (entry) plan.move.push({ entry, document })
    else plan.remove.push(document)
  }
  plan.create = plan.create.filter((entry) => pendingCreates.get(entry.hash) === entry)
  return plan
}

/** Where the sync has put its documents, or has last seen them, by id. A document that is elsewhere was moved by somebody. */
function placesOfDocuments(
  rememberedFiles: ReadonlyMap<string, FileResult>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const placesById = new Map<string, Set<string>>()
  for (const [path, { document_id: id, state, at = path }] of rememberedFiles) {
    if (id === undefined || state === 'theirs') continue
    const places = placesById.get(id)
    if (places) places.add(at)
    else placesById.set(id, new Set([at]))
  }
  return placesById
}

/**
 * The document of each path. If a document is at another path, because another one has the name or because somebody has moved it in
 * the workspace, the sync's state says to which path it belongs.
 */
function documentsByPath(
  ownedDocuments: readonly OwnedDocument[],
  rememberedFiles: ReadonlyMap<string, FileResult>,
): ReadonlyMap<string, OwnedDocument> {
  const byId = new Map(ownedDocuments.map((document) => [document.id, document]))
  const documentAt = new Map(ownedDocuments.map((document) => [document.path, document]))
  const placedIds = new Set<string>()
  const place = (path: string, document: OwnedDocument): void => {
    if (documentAt.get(document.path) === document) documentAt.delete(document.path)
    documentAt.set(path, document)
    placedIds.add(document.id)
  }
  for (const [path, { beside: isBeside, document_id }] of rememberedFiles) {
    const document = isBeside ? byId.get(document_id ?? '') : undefined
    if (document) place(path, document)
  }
  // Several paths with the same content have one document, which is at one of them. If it was moved, that one has it.
  const isOwnPath = ([path, { at = path }]: [string, FileResult]): boolean => at === path
  const memories = [...rememberedFiles]
  for (const [path, { state, document_id: id = '', at = path }] of [
    ...memories.filter(isOwnPath),
    ...memories.filter((memory) => !isOwnPath(memory)),
  ]) {
    const document = state === 'theirs' ? undefined : byId.get(id)
    const isMoved = document && document.path !== at && rememberedFiles.get(document.path)?.document_id !== id
    if (isMoved && !placedIds.has(id)) place(path, document)
  }
  return documentAt
}

/** The entries grouped by content, in the order of the source. */
function byHash<E extends Entry>(entries: readonly E[]): Iterable<E[]> {
  const groups = new Map<string, E[]>()
  for (const entry of entries) {
    const group = groups.get(entry.hash)
    if (group) group.push(entry)
    else groups.set(entry.hash, [entry])
  }
  return groups.values()
}
