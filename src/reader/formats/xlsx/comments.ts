// Reads comments on cells: notes, and threaded comments with replies ([ECMA-376-1] 18.7, [MS-XLSX] 2.6.205).

import type { Block } from '../../block.ts'
import type { Archive } from '../../shared/containers/archive.ts'
import { type Relation, readOptionalPart, relationsOf } from '../../shared/containers/package.ts'
import { child, elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import { cellComment } from '../../shared/sheets/cell-comment.ts'

/** The names of authors by the id that comments refer to. */
export type People = ReadonlyMap<string, string>

/** The authors of the comments in a workbook. */
export async function readPeople(archive: Archive, relations: readonly Relation[]): Promise<People> {
  const part = await readOptionalPart(archive, relations.find(({ type }) => type === 'person')?.target)
  return new Map(
    elements(part).map(({ attributes }) => [
      attributes.id ?? '',
      withoutInitials(attributes.displayName ?? ''),
    ]),
  )
}

/** The name without the initials at its end: "Jane Smith" for "Jane Smith (JS)". */
const withoutInitials = (name: string): string => name.replace(/ \(\p{Lu}{1,4}\)$/u, '')

/** The comments on the cells of a sheet, row by row. */
export async function sheetComments(archive: Archive, sheet: string, people: People): Promise<Block[]> {
  const relations = await relationsOf(archive, sheet).catch(() => [])
  const partsOfType = async (kind: string): Promise<XmlElement[]> => {
    const targets = relations.filter(({ type }) => type === kind).map(({ target }) => target)
    const loadedParts = await Promise.all(targets.map((target) => readOptionalPart(archive, target)))
    return loadedParts.filter((part) => part !== undefined)
  }
  const threads = (await partsOfType('threadedComment')).flatMap((part) => elements(part))
  const threadCells = new Set(threads.map(({ attributes }) => attributes.ref))
  const comments = threads.map(({ attributes, children }): CellComment => {
    const text = elements({ name: '', attributes, children }).find(({ name }) => /(^|:)text$/.test(name))
    return {
      ref: attributes.ref ?? '',
      author: people.get(attributes.personId ?? '') ?? '',
      text: textOf(text),
    }
  })
  for (const part of await partsOfType('comments')) {
    const authors = elements(child(part, 'x:authors')).map(textOf)
    for (const comment of elements(child(part, 'x:commentList'))) {
      const { ref = '', authorId = '' } = comment.attributes
      // The file repeats each thread as one note, for programs without threaded comments.
      if (!threadCells.has(ref))
        comments.push({
          ref,
          author: authors[Number(authorId)] ?? '',
          text: textOfRuns(child(comment, 'x:text')),
        })
    }
  }
  return sortByCell(comments).map(({ ref, author, text }) => cellComment(ref, author, text))
}

interface CellComment {
  ref: string
  author: string
  text: string
}

/** Sorts comments row by row. Replies stay after their comment. */
function sortByCell(comments: readonly CellComment[]): CellComment[] {
  const sortKeyOf = ({ ref }: CellComment): [number, string] => {
    const [, column = '', row = ''] = /^\$?([A-Z]+)\$?(\d+)/.exec(ref) ?? []
    return [Number(row), column.padStart(4)]
  }
  return comments.toSorted((a, b) => {
    const [[rowA, columnA], [rowB, columnB]] = [sortKeyOf(a), sortKeyOf(b)]
    return rowA - rowB || (columnA < columnB ? -1 : columnA > columnB ? 1 : 0)
  })
}

const textOfRuns = (text: XmlElement | undefined): string =>
  elements(text)
    .map((run) => (run.name === 'x:t' ? textOf(run) : run.name === 'x:r' ? textOf(child(run, 'x:t')) : ''))
    .join('')
