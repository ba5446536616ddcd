// Adds the words of pictures to the document: to the figure block with the caption of the picture, or as a new figure block.

import type { BBox, Block, ParsedDocument, Picture } from '../../reader/reader.ts'

/** A picture with the text that was recognised in it. */
export interface RecognisedPicture extends Picture {
  hash: string
  words: Block[]
}

const MAX_CAPTION_DISTANCE_POINTS = 40
// The minimum share of new words in a line of a picture. With fewer, the line only repeats the surrounding text.
const MIN_NEW_SHARE = 0.4
// If the format has no pages, this many blocks before and after the picture are its surrounding text.
const NEIGHBOUR_BLOCKS = 6

/**
 * The document with the words of its pictures. If a picture occurs several times, its words are added only at its first occurrence.
 * Words that the surrounding text already contains are not added.
 */
export function placeWords(
  document: ParsedDocument,
  recognisedPictures: readonly RecognisedPicture[],
): ParsedDocument {
  const blocks = document.blocks.map((block) => ({ ...block }))
  const figuresBefore = new Map<number, Block[]>()
  for (const picture of firstOccurrences(document, recognisedPictures)) {
    const { at, captioned } = positionOf(picture, document.blocks)
    const captionBlock = captioned ? blocks[at - 1] : undefined
    const words = newWords(picture, at, document.blocks)
    if (words.length === 0) continue
    const figure = figureOf({ ...picture, words })
    if (captionBlock === undefined) figuresBefore.set(at, [...(figuresBefore.get(at) ?? []), figure])
    else {
      captionBlock.text += `\n${figure.text}`
      if (figure.confidence !== undefined) captionBlock.confidence = figure.confidence
    }
  }
  const withWords = [...blocks, undefined].flatMap((block, at) => [
    ...(figuresBefore.get(at) ?? []),
    ...(block ? [block] : []),
  ])
  return { ...document, blocks: withWords }
}

/** The first occurrence of each picture with words. If the parser gave no positions, the pictures have their page and box. */
function firstOccurrences(
  { pictures = [] }: ParsedDocument,
  recognisedPictures: readonly RecognisedPicture[],
): RecognisedPicture[] {
  const byName = new Map(recognisedPictures.map((picture) => [picture.name, picture]))
  const occurrences =
    pictures === 'unplaced'
      ? recognisedPictures
      : pictures.flatMap((occurrence) => {
          const picture = byName.get(occurrence.name)
          return picture === undefined ? [] : [{ ...occurrence, hash: picture.hash, words: picture.words }]
        })
  const seenHashes = new Set<string>()
  return occurrences.filter(
    ({ hash, words }) => words.length > 0 && !seenHashes.has(hash) && seenHashes.add(hash),
  )
}

function figureOf({ page, bbox, words }: RecognisedPicture): Block {
  const length = words.reduce((sum, { text }) => sum + text.length, 0)
  const weightedConfidence = words.reduce(
    (sum, { text, confidence = 0 }) => sum + text.length * confidence,
    0,
  )
  return {
    kind: 'figure',
    text: words.map(({ text }) => text).join('\n'),
    confidence: Math.round((100 * weightedConfidence) / Math.max(1, length)) / 100,
    aside: true,
    ...(page === undefined ? {} : { page }),
    ...(bbox === undefined ? {} : { bbox }),
  }
}

/** The position at which the words of the picture are inserted, and whether the block before it is the caption. */
function positionOf(picture: Picture, blocks: readonly Block[]): { at: number; captioned: boolean } {
  const { at, captioned = false, page, bbox } = picture
  if (at !== undefined) return { at, captioned }
  const caption = blocks.findIndex((block) => block.page === page && isCaptionOf(block, bbox))
  if (caption !== -1) return { at: caption + 1, captioned: true }
  return { at: positionAfterText(blocks, page ?? 1, bbox), captioned: false }
}

function isCaptionOf({ kind, bbox }: Block, picture: BBox | undefined): boolean {
  if (kind !== 'figure' || bbox === undefined || picture === undefined) return false
  const gap = Math.max(bbox[1] - picture[3], picture[1] - bbox[3])
  return overlap(bbox, picture) > 0 && gap < MAX_CAPTION_DISTANCE_POINTS
}

const overlap = (a: BBox, b: BBox): number => Math.min(a[2], b[2]) - Math.max(a[0], b[0])

/**
 * The position after the last block above the picture, on its page and in its column. If there is no such block, the position
 * before all blocks of the page.
 */
function positionAfterText(blocks: readonly Block[], page: number, picture: BBox | undefined): number {
  const isAbove = ({ page: blockPage, bbox }: Block): boolean =>
    blockPage === page &&
    bbox !== undefined &&
    picture !== undefined &&
    bbox[3] <= (picture[1] + picture[3]) / 2
  const lastAbove = blocks.findLastIndex(
    (block) => isAbove(block) && block.bbox && picture && overlap(block.bbox, picture) > 0,
  )
  if (lastAbove !== -1) return lastAbove + 1 + (isHeading(blocks, lastAbove + 1, picture, isAbove) ? 1 : 0)
  const firstOnPage = blocks.findIndex(({ page: blockPage = 0 }) => blockPage >= page)
  return firstOnPage === -1 ? blocks.length : firstOnPage
}

/**
 * Whether the block at `at` is a heading above the picture: the block is above the picture, and the next block is below the
 * picture.
 */
function isHeading(
  blocks: readonly Block[],
  at: number,
  picture: BBox | undefined,
  isAbove: (block: Block) => boolean,
): boolean {
  const [heading, next] = blocks.slice(at)
  if (heading === undefined || picture === undefined || !isAbove(heading)) return false
  return next?.page !== heading.page || (next?.bbox?.[1] ?? 0) >= picture[3]
}

/** The words of the picture that are not in the surrounding text. */
function newWords({ words, page }: RecognisedPicture, at: number, blocks: readonly Block[]): Block[] {
  const neighbours =
    page === undefined
      ? blocks.slice(Math.max(0, at - NEIGHBOUR_BLOCKS), at + NEIGHBOUR_BLOCKS)
      : blocks.filter((block) => block.page === page)
  const neighbourWords = new Set(neighbours.flatMap(({ text }) => tokensOf(text)))
  return words.filter(({ text }) => {
    const tokens = tokensOf(text)
    return tokens.filter((token) => !neighbourWords.has(token)).length >= MIN_NEW_SHARE * tokens.length
  })
}

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
