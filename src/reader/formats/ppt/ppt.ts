// Reads old PowerPoint files (.ppt, .pps; 97 to 2003). Each slide is a page with its title as heading, text in reading order,
// tables with merged cells, comments and speaker notes. The text of hidden slides is marked as hidden.

import { readFile } from 'node:fs/promises'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { commentBlock } from '../../shared/blocks/comment.ts'
import { chooseTitle } from '../../shared/blocks/title.ts'
import { openOle, summaryTitle } from '../../shared/containers/ole.ts'
import type { Parser } from '../../task.ts'
import { type DeckSlide, readDeck } from './deck.ts'
import { recordInside, recordsOf, recordTypes } from './records.ts'
import { type Group, type Shape, shapeBlocks, shapesOf } from './shapes.ts'
import { isNotes, isTitle, plainText, type SlideText, textBlocks } from './text.ts'

const ENCRYPTED_TOKEN = 0xf3d1c4df
const HIDDEN_FLAG = 0x04
const DUAL_STORAGE = 'PP97_DUALSTORAGE'

/** The slides as pages, in presentation order. */
const parsePpt: Parser = async (task, report) => {
  const openStream = openOle(await readFile(task.path))
  // A file for PowerPoint 95 and 97 has the presentation for 97 in a folder.
  const folder = openStream(`${DUAL_STORAGE}/PowerPoint Document`).length > 0 ? `${DUAL_STORAGE}/` : ''
  const stream = (name: string): Buffer => openStream(folder + name)
  const currentUser = stream('Current User')
  if (currentUser.length >= 16 && currentUser.readUInt32LE(12) === ENCRYPTED_TOKEN)
    throw new UnreadableFile('encrypted')
  const slides = readDeck(
    stream('PowerPoint Document'),
    currentUser.length >= 20 ? currentUser.readUInt32LE(16) : -1,
  )
  if (slides.length === 0) throw new UnreadableFile('damaged', 'the presentation has no slides')
  const blocks: Block[] = []
  for (const [i, slide] of slides.entries()) {
    const hidden = isHidden(slide.slide) && { hidden: true }
    for (const block of slideBlocks(slide)) blocks.push({ ...block, page: i + 1, ...hidden })
    report({ share: (i + 1) / slides.length, pages: slides.length })
  }
  const title = chooseTitle(summaryTitle(stream('\u0005SummaryInformation')), blocks)
  return { ...(title === undefined ? {} : { title }), pages: slides.length, blocks }
}

export const ppt: Backend = { parse: parsePpt }

function slideBlocks({ slide, outline, notes }: DeckSlide): Block[] {
  const shapes = shapesOf(slide)
  const usedOutlineTexts = new Set<number>()
  const textsOfShape = (shape: Shape): readonly SlideText[] => [
    ...shape.texts,
    ...shape.outline.flatMap((index) => {
      usedOutlineTexts.add(index)
      return outline[index] ?? []
    }),
  ]
  const isHeading = (item: Shape | Group): boolean => !('members' in item) && textsOfShape(item).some(isTitle)
  const titles = shapes.filter(isHeading)
  const blocks = [
    ...shapeBlocks(titles, textsOfShape),
    ...shapeBlocks(
      shapes.filter((item) => !titles.includes(item)),
      textsOfShape,
    ),
  ]
  const remainingTexts = outline.filter((_, index) => !usedOutlineTexts.has(index)).flatMap(textBlocks)
  return [...blocks, ...remainingTexts, ...commentsOf(slide), ...slideNotes(notes)]
}

function isHidden(slide: Buffer): boolean {
  const show = recordInside(slide, recordTypes.slideShowInfo)?.data
  return show !== undefined && show.length >= 12 && (show.readUInt16LE(10) & HIDDEN_FLAG) !== 0
}

/** The speaker notes. */
function slideNotes(notes: Buffer | undefined): Block[] {
  const textsIn = (shapes: readonly (Shape | Group)[]): SlideText[] =>
    shapes.flatMap((item) => ('members' in item ? textsIn(item.members) : item.texts))
  const text = textsIn(notes === undefined ? [] : shapesOf(notes))
    .filter(isNotes)
    .map(plainText)
    .join('\n')
  return text === '' ? [] : [{ kind: 'note', text }]
}

/** The comments on a slide, which are stored in tags that older versions ignore. */
function commentsOf(slide: Buffer): Block[] {
  return recordsOf(slide)
    .filter(({ type }) => type === recordTypes.binaryTags)
    .flatMap(({ data }) => recordsOf(data).filter(({ type }) => type === recordTypes.binaryTag))
    .flatMap(({ data }) => recordsOf(recordInside(data, recordTypes.binaryTagData)?.data ?? Buffer.alloc(0)))
    .filter(({ type }) => type === recordTypes.comment)
    .map(({ data }) => {
      const text = (stringInstance: number): string =>
        recordsOf(data)
          .find(({ type, instance }) => type === recordTypes.string && instance === stringInstance)
          ?.data.toString('utf16le') ?? ''
      return commentBlock(text(0), text(1).replaceAll('\r', '\n'))
    })
}
