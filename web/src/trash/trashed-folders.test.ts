import { expect, test } from 'vitest'
import type { TrashedDocument } from './trash.ts'
import { folderName, trashLines } from './trashed-folders.ts'

const trashed = (filename: string) => ({ id: filename, filename }) as TrashedDocument
const shown = (documents: TrashedDocument[], paths: string[]) =>
  trashLines(
    documents,
    paths.map((path) => ({ path, document_count: 1 })),
  ).map((line) => ('documents' in line ? `${line.path}: ${line.documents.length}` : line.filename))

test('a folder of which nothing is left is one line, with the folders in it', () => {
  const documents = ['Contracts/2023/a.pdf', 'note.md', 'Contracts/b.pdf', 'Contracts/2024/c.pdf'].map(
    trashed,
  )
  expect(shown(documents, ['Reports'])).toEqual(['Contracts: 3', 'note.md'])
})

test('in a folder that has other documents, the outermost folder that has gone is the line', () => {
  const documents = ['Contracts/2023/a.pdf', 'Contracts/2023/b.pdf', 'Contracts/c.pdf'].map(trashed)
  expect(shown(documents, ['Contracts'])).toEqual(['Contracts/2023: 2', 'Contracts/c.pdf'])
  expect(shown(documents, ['Contracts/2023/x'])).toEqual(documents.map(({ filename }) => filename))
})

test('a document that is alone in its folder is a line of its own', () => {
  expect(shown([trashed('Contracts/a.pdf'), trashed('b.pdf')], [])).toEqual(['Contracts/a.pdf', 'b.pdf'])
  expect(folderName('Contracts/2023')).toBe('2023')
  expect(folderName('Contracts')).toBe('Contracts')
})
