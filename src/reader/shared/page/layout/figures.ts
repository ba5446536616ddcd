// Joins a figure to one block: its caption, and the words in the picture above it (axes, labels, legends), which liteparse
// returns as a dozen paragraphs of one word.

import type { BBox, Block } from '../../../block.ts'
import { type PlacedBlock, union } from './boxes.ts'

// Matches "Fig. 4. ", "Abbildung 2: " and "Exhibit B".
const CAPTION =
  /^(?:fig(?:ure|ura)?|abb(?:ildung)?|chart|diagram|graph|exhibit|schaubild|grafik|gráfico|graphique|plate)\.?\s*(?:\d+|[A-Z]\d*|[IVX]+)(?:[.:\s–—-]|$)/iu
// Matches "Figure 3 shows", which is no caption.
const SENTENCE =
  /^\S+\s*\S+\s+(?:shows?|illustrates?|depicts?|presents?|gives|zeigt|stellt|montre|présente|muestra)\b/iu
// Liteparse may join a caption to the text below it. A caption with more words is such text.
const MAX_CAPTION_WORDS = 80
// A longer text is not a label in a picture but running text.
const MAX_LABEL_WORDS = 6
const MAX_FIGURE_HEIGHT_POINTS = 420
// In points. Labels of an axis may be at most this far to the left or right of the caption.
const MAX_SIDE_DISTANCE = 90

/** Whether a text is the caption of a figure: "Fig. 4. Curve of …". */
export const isCaption = (text: string): boolean =>
  CAPTION.test(text) && !SENTENCE.test(text) && text.split(' ').length <= MAX_CAPTION_WORDS

/** The blocks in order; each caption becomes a figure block with the words of its picture. */
export function gatherFigures(blocks: readonly PlacedBlock[]): PlacedBlock[] {
  const usedBlocks = new Set<PlacedBlock>()
  const figures = new Map<PlacedBlock, PlacedBlock>()
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || !isCaption(block.text)) continue
    const labels = pictureLabels(block.bbox, blocks).filter((label) => !usedBlocks.has(label))
    for (const label of labels) usedBlocks.add(label)
    figures.set(block, figureBlock(block, labels))
  }
  if (figures.size === 0) return [...blocks]
  return blocks.flatMap((block) => (usedBlocks.has(block) ? [] : [figures.get(block) ?? block]))
}

/** The short texts right above a caption, up to the next block that is running text. */
function pictureLabels(caption: BBox, blocks: readonly PlacedBlock[]): PlacedBlock[] {
  const above = blocks.filter(
    ({ bbox }) =>
      bbox[3] <= caption[1] + 2 &&
      caption[1] - bbox[1] < MAX_FIGURE_HEIGHT_POINTS &&
      bbox[2] > caption[0] - MAX_SIDE_DISTANCE &&
      bbox[0] < caption[2] + MAX_SIDE_DISTANCE,
  )
  const bottomOfText = Math.max(0, ...above.flatMap((block) => (isLabel(block) ? [] : [block.bbox[3]])))
  return above.filter((block) => isLabel(block) && block.bbox[1] >= bottomOfText - 2)
}

const isLabel = ({ kind, text }: Block): boolean =>
  (kind === 'paragraph' || kind === 'code') && !isCaption(text) && text.split(/\s+/).length <= MAX_LABEL_WORDS

function figureBlock(caption: PlacedBlock, labels: readonly PlacedBlock[]): PlacedBlock {
  const words = labels.map(({ text }) => text.replace(/\s+/g, ' ').trim())
  return {
    ...caption,
    kind: 'figure',
    text: [caption.text, words.join(' ')].filter(Boolean).join('\n'),
    bbox: [caption, ...labels].map(({ bbox }) => bbox).reduce(union),
  }
}
