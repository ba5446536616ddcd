// Remarks on a slide, as PowerPoint has kept them until 2021 ([ECMA-376-1] 19.4) and since ([MS-PPTX] 2.6).

import type { Block } from '../../block.ts'
import { commentBlock } from '../../blocks/comment.ts'
import type { Archive } from '../../identify/archive.ts'
import { type Relation, readSidePart } from '../ooxml/package.ts'
import { child, descendants, elements, textOf, type XmlElement } from '../ooxml/xml.ts'
import { paragraphText } from './text.ts'

/** Who remarks, by the number their remarks name. */
export type Authors = ReadonlyMap<string, string>

/** The people that the remarks of a presentation name. */
export async function readAuthors(archive: Archive, relations: readonly Relation[]): Promise<Authors> {
  const authors = new Map<string, string>()
  for (const { type, target } of relations) {
    if (type !== 'commentAuthors' && type !== 'authors') continue
    for (const { attributes } of elements(await readSidePart(archive, target)))
      authors.set(attributes.id ?? '', attributes.name ?? '')
  }
  return authors
}

/** The remarks on a slide and the answers to them. */
export async function slideComments(
  archive: Archive,
  relations: readonly Relation[],
  authors: Authors,
): Promise<Block[]> {
  const blocks: Block[] = []
  for (const { type, target } of relations) {
    if (type !== 'comments') continue
    const remarks = elements(await readSidePart(archive, target)).flatMap((remark) => [
      remark,
      ...descendants(remark, 'p188:reply'),
    ])
    for (const remark of remarks)
      blocks.push(commentBlock(authors.get(remark.attributes.authorId ?? '') ?? '', textIn(remark)))
  }
  return blocks
}

const textIn = (remark: XmlElement): string =>
  [textOf(child(remark, 'p:text')), ...elements(child(remark, 'p188:txBody'), 'a:p').map(paragraphText)]
    .filter((line) => line !== '')
    .join('\n')
