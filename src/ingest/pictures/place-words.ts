// Puts the words of pictures into the document: into the figure that is their caption, or as a new figure beside the text. Pure
// functions.

import type { BBox, Block, ParsedDocument, Picture } from '../../reader/reader.ts'

/** A picture that was read. */
export interface ReadPicture extends Picture {
  hash: string
  words: Block[]
}

// A caption is at most this far from its picture, in points.
const CAPTION_DISTANCE = 40
// The minimum share of words that the surrounding text lacks. With less, the picture only repeats the text.
const MIN_NEW = 0.4
// How many blocks before and after the picture count as surrounding text, if the format has no pages.
const AROUND = 6

/**
 * The document with the words of its pictures. A picture that occurs several times is read at its first place only, and adds
 * nothing that the text beside it already says.
 */
export function placeWords(parsed: ParsedDocument, read: readonly ReadPicture[]): ParsedDocument {
  const blocks = parsed.blocks.map((block) => ({ ...block }))
  const before = new Map<number, Block[]>()
  for (const picture of firstPlaces(parsed, read)) {
    const { at, captioned } = placeOf(picture, parsed.blocks)
    const own = captioned ? blocks[at - 1] : undefined
    const words = newWords(picture, at, parsed.blocks)
    if (words.length === 0) continue
    const figure = figureOf({ ...picture, words })
    if (own === undefined) before.set(at, [...(before.get(at) ?? []), figure])
    else {
      own.text += `\n${figure.text}`
      if (figure.confidence !== undefined) own.confidence = figure.confidence
    }
  }
  const withWords = [...blocks, undefined].flatMap((block, at) => [
    ...(before.get(at) ?? []),
    ...(block ? [block] : []),
  ])
  return { ...parsed, blocks: withWords }
}

/** Pictures with words, each once, at the place where the parser saw them or where they were found. */
function firstPlaces({ pictures = [] }: ParsedDocument, read: readonly ReadPicture[]): ReadPicture[] {
  const byName = new Map(read.map((picture) => [picture.name, picture]))
  const places =
    pictures === 'unplaced'
      ? read
      : pictures.flatMap((place) => {
          const picture = byName.get(place.name)
          return picture === undefined ? [] : [{ ...place, hash: picture.hash, words: picture.words }]
        })
  const seenTexts = new Set<string>()
  return places.filter(({ hash, words }) => words.length > 0 && !seenTexts.has(hash) && seenTexts.add(hash))
}

function figureOf({ page, bbox, words }: ReadPicture): Block {
  const length = words.reduce((sum, { text }) => sum + text.length, 0)
  const weighted = words.reduce((sum, { text, confidence = 0 }) => sum + text.length * confidence, 0)
  return {
    kind: 'figure',
    text: words.map(({ text }) => text).join('\n'),
    confidence: Math.round((100 * weighted) / Math.max(1, length)) / 100,
    aside: true,
    ...(page === undefined ? {} : { page }),
    ...(bbox === undefined ? {} : { bbox }),
  }
}

function placeOf(picture: Picture, blocks: readonly Block[]): { at: number; captioned: boolean } {
  const { at, captioned = false, page, bbox } = picture
  if (at !== undefined) return { at, captioned }
  const caption = blocks.findIndex((block) => block.page === page && isCaptionOf(block, bbox))
  if (caption !== -1) return { at: caption + 1, captioned: true }
  return { at: afterTextAbove(blocks, page ?? 1, bbox), captioned: false }
}

function isCaptionOf({ kind, bbox }: Block, picture: BBox | undefined): boolean {
  if (kind !== 'figure' || bbox === undefined || picture === undefined) return false
  const gap = Math.max(bbox[1] - picture[3], picture[1] - bbox[3])
  return overlap(bbox, picture) > 0 && gap < CAPTION_DISTANCE
}

const overlap = (a: BBox, b: BBox): number => Math.min(a[2], b[2]) - Math.max(a[0], b[0])

/**
 * The position after the last block above it on its page and in its column, or before all blocks of the page if there is none.
 */
function afterTextAbove(blocks: readonly Block[], page: number, picture: BBox | undefined): number {
  const isAbove = ({ page: own, bbox }: Block): boolean =>
    own === page && bbox !== undefined && picture !== undefined && bbox[3] <= (picture[1] + picture[3]) / 2
  const above = blocks.findLastIndex(
    (block) => isAbove(block) && block.bbox && picture && overlap(block.bbox, picture) > 0,
  )
  if (above !== -1) return above + 1 + (isHeading(blocks, above + 1, picture, isAbove) ? 1 : 0)
  const first = blocks.findIndex(({ page: own = 0 }) => own >= page)
  return first === -1 ? blocks.length : first
}

/**
 * Whether a line that is narrower than the picture is between it and the text above, followed only by text below the picture.
 */
function isHeading(
  blocks: readonly Block[],
  at: number,
  picture: BBox | undefined,
  isAbove: (block: Block) => boolean,
): boolean {
  const [line, next] = blocks.slice(at)
  if (line === undefined || picture === undefined || !isAbove(line)) return false
  return next?.page !== line.page || (next?.bbox?.[1] ?? 0) >= picture[3]
}

/** Those of its texts that the surrounding text lacks. */
function newWords({ words, page }: ReadPicture, at: number, blocks: readonly Block[]): Block[] {
  const neighbours =
    page === undefined
      ? blocks.slice(Math.max(0, at - AROUND), at + AROUND)
      : blocks.filter((block) => block.page === page)
  const neighbourWords = new Set(neighbours.flatMap(({ text }) => tokensOf(text)))
  return words.filter(({ text }) => {
    const tokens = tokensOf(text)
    return tokens.filter((token) => !neighbourWords.has(token)).length >= MIN_NEW * tokens.length
  })
}

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
