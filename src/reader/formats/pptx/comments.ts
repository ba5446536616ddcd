// Reads comments on a slide, in the format that PowerPoint wrote until 2021 ([ECMA-376-1] 19.4) and in the later one ([MS-PPTX]
// 2.6).

import type { Block } from '../../block.ts'
import { commentBlock } from '../../shared/blocks/comment.ts'
import type { Archive } from '../../shared/containers/archive.ts'
import { type Relation, readOptionalPart } from '../../shared/containers/package.ts'
import { child, descendants, elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import { paragraphText } from '../../shared/ooxml/shape-text.ts'

/** The names of authors by the id that comments refer to. */
export type Authors = ReadonlyMap<string, string>

/** The authors of the comments in a presentation. */
export async function readAuthors(archive: Archive, relations: readonly Relation[]): Promise<Authors> {
  const authors = new Map<string, string>()
  for (const { type, target } of relations) {
    if (type !== 'commentAuthors' && type !== 'authors') continue
    for (const { attributes } of elements(await readOptionalPart(archive, target)))
      authors.set(attributes.id ?? '', attributes.name ?? '')
  }
  return authors
}

/** The comments on a slide and the replies to them. */
export async function slideComments(
  archive: Archive,
  relations: readonly Relation[],
  authors: Authors,
): Promise<Block[]> {
  const blocks: Block[] = []
  for (const { type, target } of relations) {
    if (type !== 'comments') continue
    const comments = elements(await readOptionalPart(archive, target)).flatMap((comment) => [
      comment,
      ...descendants(comment, 'p188:reply'),
    ])
    for (const comment of comments)
      blocks.push(commentBlock(authors.get(comment.attributes.authorId ?? '') ?? '', textIn(comment)))
  }
  return blocks
}

const textIn = (comment: XmlElement): string =>
  [textOf(child(comment, 'p:text')), ...elements(child(comment, 'p188:txBody'), 'a:p').map(paragraphText)]
    .filter((line) => line !== '')
    .join('\n')
