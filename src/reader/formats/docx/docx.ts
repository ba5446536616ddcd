// Reads Word documents (.docx, .docm, .dotx): headings with their automatic numbers, nested lists, tables with merged cells,
// notes after the paragraph that refers to them, comments, text boxes, equations as LaTeX, charts and diagrams. Tracked
// changes are read as accepted. The body is read in a stream.

import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { type Archive, eachNamedPart, withArchive } from '../../shared/containers/archive.ts'
import {
  eachPartChild,
  mainPart,
  packageTitle,
  type Relation,
  readOptionalPart,
  readPart,
  relationsOf,
  withWarnings,
} from '../../shared/containers/package.ts'
import { child, elements, isOn, type XmlElement } from '../../shared/containers/xml.ts'
import { finishDocument } from '../../shared/office/paragraphs.ts'
import { embeddedFiles } from '../../shared/ooxml/embedded-files.ts'
import { graphicsOf } from '../../shared/ooxml/graphics.ts'
import type { Parser } from '../../task.ts'
import { isSeparator, openBody, type WordContext } from './body.ts'
import { chunksOf } from './chunks.ts'
import { openNumberer } from './numbering.ts'
import { runningNotes } from './running.ts'
import { hasDrawingsBehind } from './shading.ts'
import { readStyles } from './styles.ts'

/** The blocks of a Word document, which has no pages until it is laid out. */
const parseDocx: Parser = (task) =>
  withArchive(task.path, async (archive) => {
    const main = await mainPart(archive, 'word/document.xml')
    if (main === undefined) throw new UnreadableFile('damaged', 'no document inside')
    const relations = await relationsOf(archive, main)
    const context = await readContext(archive, relations)
    const settings = await readOptionalPart(
      archive,
      relations.find(({ type }) => type === 'settings')?.target,
    )
    // Without this setting the colour of the page is not shown.
    const isOnWhite =
      !isOn(child(settings, 'w:displayBackgroundShape')) &&
      !(await hasDrawingsBehind(archive, main, relations))
    const body = openBody(context, isOnWhite)
    await eachPartChild(archive, main, { 'w:body': body.add })
    const { title, blocks: bodyBlocks } = finishDocument(body, await packageTitle(archive))
    const blocks = [
      ...(await runningNotes('header', archive, relations, context)),
      ...bodyBlocks,
      ...(await runningNotes('footer', archive, relations, context)),
      ...context.hidden.map((text): Block => ({ kind: 'paragraph', text, hidden: true })),
    ]
    const enclosed = await embeddedFiles(task.path, archive, relations)
    return { ...withWarnings(archive, { ...(title === undefined ? {} : { title }), blocks }), enclosed }
  })

export const docx: Backend = { parse: parseDocx, eachPicture: eachNamedPart }

async function readContext(archive: Archive, relations: readonly Relation[]): Promise<WordContext> {
  const part = (type: string): Promise<XmlElement | undefined> =>
    readPart(archive, relations.find((relation) => relation.type === type)?.target)
  const commentPart = relations.find(({ type }) => type === 'comments')?.target
  const styles = readStyles(await part('styles'))
  return {
    styles,
    numberer: openNumberer(await part('numbering'), styles),
    parts: new Map([...(await graphicsOf(archive, relations)), ...(await chunksOf(archive, relations))]),
    notes: {
      footnote: notesById(await part('footnotes'), 'w:footnote'),
      endnote: notesById(await part('endnotes'), 'w:endnote'),
      comment: notesById(await readOptionalPart(archive, commentPart), 'w:comment'),
    },
    footnotes: 0,
    endnotes: 0,
    hidden: [],
  }
}

function notesById(part: XmlElement | undefined, name: string): Map<string, XmlElement> {
  const notes = elements(part, name).filter((note) => !isSeparator(note))
  return new Map(notes.map((note) => [note.attributes.id ?? '', note]))
}
