// Headers and footers of a Word document, each once: parts of their own, one for first, odd and even pages of a section.

import type { Block } from '../../block.ts'
import { PAGE_NUMBER, runningNote } from '../../blocks/running.ts'
import { flatText } from '../../blocks/table.ts'
import type { Archive } from '../../identify/archive.ts'
import { type Relation, readSidePart } from '../ooxml/package.ts'
import { elements, textOf, type XmlElement } from '../ooxml/xml.ts'
import { openBody, type WordContext } from './body.ts'

/** The headers or the footers that a document refers to, as one note. */
export async function runningNotes(
  kind: 'header' | 'footer',
  archive: Archive,
  relations: readonly Relation[],
  context: WordContext,
): Promise<Block[]> {
  const stories: string[] = []
  for (const { target } of relations.filter(({ type }) => type === kind)) {
    const part = await readSidePart(archive, target)
    if (part === undefined) continue
    markPages(part, [])
    // Its pictures are logos, in parts that the document's relationships do not name.
    const story = openBody({ ...context, graphics: new Map() })
    for (const element of elements(part)) story.add(element)
    const said = story.blocks.filter((block) => block.kind !== 'figure')
    stories.push(said.map((block) => flatText(block, '\t', '\n')).join('\n'))
  }
  return runningNote(stories)
}

interface Field {
  code: string
  isShown: boolean
}

const PAGES = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i

/** Marks what the fields of page numbers show, in place. */
function markPages(element: XmlElement, fields: Field[]): void {
  for (const inner of elements(element)) {
    const { name, attributes } = inner
    const field = fields.at(-1)
    if (name === 'w:instrText' && field !== undefined) field.code += textOf(inner)
    else if (name === 'w:t' && fields.some(({ code, isShown }) => isShown && PAGES.test(code)))
      inner.children = [PAGE_NUMBER(textOf(inner))]
    else if (name === 'w:fldChar') {
      if (attributes.fldCharType === 'begin') fields.push({ code: '', isShown: false })
      else if (attributes.fldCharType === 'end') fields.pop()
      else if (field !== undefined) field.isShown = true
    } else if (name === 'w:fldSimple')
      markPages(inner, [...fields, { code: attributes.instr ?? '', isShown: true }])
    else markPages(inner, fields)
  }
}
