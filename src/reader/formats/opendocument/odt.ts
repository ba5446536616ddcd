// Reads OpenDocument text (.odt, .ott): headings with their numbers, nested lists, tables with merged cells, notes after the
// paragraph that refers to them, comments, text boxes, charts, headers and footers. Tracked changes are read as accepted. The
// body is read in a stream.

import type { Backend } from '../../backend.ts'
import { runningNote } from '../../shared/blocks/running.ts'
import { storyText } from '../../shared/blocks/table.ts'
import { eachNamedPart, withArchive } from '../../shared/containers/archive.ts'
import { eachPartChild, withWarnings } from '../../shared/containers/package.ts'
import { elements } from '../../shared/containers/xml.ts'
import { finishDocument } from '../../shared/office/paragraphs.ts'
import type { Parser } from '../../task.ts'
import { hiddenBlocks } from './line.ts'
import { metaTitle, type OpenDocument, openDocument } from './package.ts'
import { openStory } from './story.ts'

/** The blocks of a text document, which has no pages until it is laid out. */
const parseOdt: Parser = (task) =>
  withArchive(task.path, async (archive) => {
    const document = await openDocument(archive)
    const { context } = document
    const body = openStory(context)
    await eachPartChild(archive, 'content.xml', {
      'office:automatic-styles': context.styles.add,
      'office:text': body.add,
    })
    const { title, blocks: bodyBlocks } = finishDocument(body, await metaTitle(archive))
    const blocks = [
      ...runningBlocks(document, 'header'),
      ...bodyBlocks,
      ...runningBlocks(document, 'footer'),
      ...hiddenBlocks(context),
    ]
    return withWarnings(archive, { ...(title === undefined ? {} : { title }), blocks })
  })

export const odt: Backend = { parse: parseOdt, eachPicture: eachNamedPart }

/** The headers or footers of all kinds of pages as one note. */
function runningBlocks({ masters, masterContext }: OpenDocument, kind: 'header' | 'footer') {
  const stories = elements(masters, 'style:master-page')
    .flatMap((page) => elements(page))
    .filter(({ name, attributes }) => name.startsWith(`style:${kind}`) && attributes.display !== 'false')
    .map((part) => {
      const story = openStory(masterContext)
      for (const element of elements(part)) story.add(element)
      return storyText(story.blocks)
    })
  return runningNote(stories)
}
