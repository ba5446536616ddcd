// Headers and footers of a Word document, which has one part for each kind of page (first, odd, even) of each section.

import type { Block } from '../../block.ts'
import { markedPageNumber, runningNote } from '../../shared/blocks/running.ts'
import { flatText } from '../../shared/blocks/table.ts'
import type { Archive } from '../../shared/containers/archive.ts'
import { type Relation, readOptionalPart } from '../../shared/containers/package.ts'
import { elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import { openBody, type WordContext } from './body.ts'

/** All headers or all footers of a document as one note. */
export async function runningNotes(
  kind: 'header' | 'footer',
  archive: Archive,
  relations: readonly Relation[],
  context: WordContext,
): Promise<Block[]> {
  const stories: string[] = []
  for (const { target } of relations.filter(({ type }) => type === kind)) {
    const part = await readOptionalPart(archive, target)
    if (part === undefined) continue
    markPages(part, [])
    // Pictures are left out: they are logos here, and their ids belong to another part.
    const story = openBody({ ...context, parts: new Map() })
    for (const element of elements(part)) story.add(element)
    const texts = story.blocks.filter((block) => block.kind !== 'figure')
    stories.push(texts.map((block) => flatText(block, '\t', '\n')).join('\n'))
  }
  return runningNote(stories)
}

interface Field {
  code: string
  isShown: boolean
}

const PAGE_FIELD = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i

/** Marks the results of page number fields, in place. */
function markPages(element: XmlElement, fields: Field[]): void {
  for (const inner of elements(element)) {
    const { name, attributes } = inner
    const field = fields.at(-1)
    if (name === 'w:instrText' && field !== undefined) field.code += textOf(inner)
    else if (name === 'w:t' && fields.some(({ code, isShown }) => isShown && PAGE_FIELD.test(code)))
      inner.children = [markedPageNumber(textOf(inner))]
    else if (name === 'w:fldChar') {
      if (attributes.fldCharType === 'begin') fields.push({ code: '', isShown: false })
      else if (attributes.fldCharType === 'end') fields.pop()
      else if (field !== undefined) field.isShown = true
    } else if (name === 'w:fldSimple')
      markPages(inner, [...fields, { code: attributes.instr ?? '', isShown: true }])
    else markPages(inner, fields)
  }
}
