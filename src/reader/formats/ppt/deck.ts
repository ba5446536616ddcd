// Finds the slides of an old PowerPoint file ([MS-PPT] 2.3.2 to 2.3.4). The stream also contains older versions of the slides,
// but only the version that was saved last is read.

import { type PptRecord, recordAt, recordInside, recordsOf, recordTypes } from './records.ts'
import { type SlideText, textsOf } from './text.ts'

export interface DeckSlide {
  /** The content of the record of the slide. */
  slide: Buffer
  /** The texts of the slide's outline, to which its shapes refer by index. */
  outline: SlideText[]
  notes?: Buffer
}

const SLIDE_LIST = 0
const NOTES_LIST = 2
const MAX_EDITS = 10_000

/** The slides in presentation order. */
export function readDeck(stream: Buffer, currentEdit: number): DeckSlide[] {
  const positions = new Map<number, number>()
  const documentId = readEdits(stream, currentEdit, positions)
  const document = documentId === undefined ? undefined : recordAt(stream, positions.get(documentId) ?? -1)
  if (document?.type !== recordTypes.document) return allSlides(stream)
  // Each record is read only once. Otherwise a small file could refer to one record as thousands of slides.
  const usedPositions = new Set<number>()
  const recordOf = (id: number, type: number): Buffer | undefined => {
    const position = positions.get(id) ?? -1
    const record = recordAt(stream, position)
    if (record?.type !== type || usedPositions.has(position)) return undefined
    usedPositions.add(position)
    return record.data
  }
  const notes = new Map(
    listedSlides(document.data, NOTES_LIST).flatMap(({ id }) => {
      const data = recordOf(id, recordTypes.notes)
      const atom = data && recordInside(data, recordTypes.notesAtom)?.data
      return data && atom && atom.length >= 4 ? [[atom.readUInt32LE(0), data] as const] : []
    }),
  )
  const slides = listedSlides(document.data, SLIDE_LIST).flatMap(({ id, slideId, outline }) => {
    const slide = recordOf(id, recordTypes.slide)
    const ownNotes = notes.get(slideId)
    return slide === undefined ? [] : [{ slide, outline, ...(ownNotes && { notes: ownNotes }) }]
  })
  return slides.length > 0 ? slides : allSlides(stream)
}

/** Collects the positions of all records, starting with the latest edit. @returns the id of the document record */
function readEdits(stream: Buffer, from: number, positions: Map<number, number>): number | undefined {
  let document: number | undefined
  let editPosition = from
  for (let edits = 0; edits < MAX_EDITS; edits++) {
    const edit = recordAt(stream, editPosition)
    if (edit?.type !== recordTypes.userEdit || edit.data.length < 20) break
    document ??= edit.data.readUInt32LE(16)
    const directory = recordAt(stream, edit.data.readUInt32LE(12))
    if (directory?.type === recordTypes.persistDirectory) readDirectory(directory, positions)
    const previousEdit = edit.data.readUInt32LE(8)
    // Edits are appended, so the previous edit is before this one.
    if (previousEdit === 0 || previousEdit >= editPosition) break
    editPosition = previousEdit
  }
  return document
}

function readDirectory({ data }: PptRecord, positions: Map<number, number>): void {
  for (let at = 0; at + 4 <= data.length; ) {
    const head = data.readUInt32LE(at)
    const [id, count] = [head & 0xfffff, head >>> 20]
    at += 4
    for (let i = 0; i < count && at + 4 <= data.length; i++, at += 4)
      if (!positions.has(id + i)) positions.set(id + i, data.readUInt32LE(at))
  }
}

interface ListedSlide {
  id: number
  slideId: number
  outline: SlideText[]
}

/** The entries of one of the document's slide lists with the texts of their outlines. */
function listedSlides(document: Buffer, instance: number): ListedSlide[] {
  const list = recordsOf(document).find(
    (record) => record.type === recordTypes.slideList && record.instance === instance,
  )
  const entries: { entry: Buffer; texts: PptRecord[] }[] = []
  for (const record of recordsOf(list?.data ?? Buffer.alloc(0))) {
    if (record.type === recordTypes.slidePersist) entries.push({ entry: record.data, texts: [] })
    else entries.at(-1)?.texts.push(record)
  }
  return entries
    .filter(({ entry }) => entry.length >= 16)
    .map(({ entry, texts }) => ({
      id: entry.readUInt32LE(0),
      slideId: entry.readUInt32LE(12),
      outline: textsOf(texts),
    }))
}

/** All slides in the stream, for files with a damaged directory. */
const allSlides = (stream: Buffer): DeckSlide[] =>
  recordsOf(stream)
    .filter(({ type }) => type === recordTypes.slide)
    .map(({ data }) => ({ slide: data, outline: [] }))
