// Descriptions and examples of ../moves.ts.

import type * as module from '../moves.ts'
import { ID, LEASE_TITLE } from './library.ts'
import type { OperationTexts, SchemaTexts } from './texts.ts'

const document = {
  id: ID.lease,
  title: LEASE_TITLE,
  path: 'Archive/Contracts/lease-ropewalk-yard.pdf',
  previous_path: 'Contracts/lease-ropewalk-yard.pdf',
}
const scope = { name: 'Leases', folders: ['Archive/Contracts'], previous_folders: ['Contracts'] }
const invalid =
  'the folder is no relative path, two of the documents would get one path (`name_repeated`), another document or a file that is still read has one of the new paths (`name_taken`), or a connected source decides where one of the documents is (`source_decides`)'

export const schemas: SchemaTexts<typeof module> = {
  MovedDocument: {
    description:
      'A document that was moved. `path` is where it is now, `previous_path` where it was; they are equal if it was there already.',
    example: document,
  },
  MovedDocuments: { description: 'The documents that were moved.', example: { data: [document] } },
  MovedScope: {
    description:
      'A scope that named a moved folder, or one below it. `folders` are those that it names now, `previous_folders` those that it named before.',
    example: scope,
  },
  MovedFolder: {
    description:
      'The documents that were moved with their folder, and the scopes that follow it: at most 1,000, and none that lists the documents because the folder is at the root now.',
    example: { data: [document], scopes: [scope] },
  },
}

export const operations: OperationTexts<typeof module.moves> = {
  moveDocuments: {
    does: 'Moves up to 1,000 documents to a folder, all of them or none, and returns them. Their files keep their names; an empty `folder` is the root. With `below` they keep their paths below that folder as well, in which all of them must be. The move of a folder is undone by the ids and the `scopes` that it returned, with the folders the other way around (`folder` is its old path, `below` its new one): whatever else was in the new folder stays there. Each of the `scopes` that still has exactly these `folders` gets its `previous_folders`; those that were changed or deleted since stay as they are, and so do those that list the documents of a folder which came to the root. Ids, versions, citations and conversations stay as they are, nothing is read again, and a later upload with the old name still becomes a version of the document if it is a revision of it, which the job then says in a warning.',
    callers: 'editor',
    missing: 'the workspace or one of the documents',
    invalid: `${invalid}; a document is not in \`below\` (\`not_below\`), or a scope would name the root`,
    body: { document_ids: [ID.lease], folder: 'Archive/Contracts' },
  },
  moveFolder: {
    does: 'Moves or renames a folder with all folders below it, at most 1,000 documents, and returns its documents. `to` is the new path of the folder itself; if it is empty, its documents and folders come to the root. Scopes that name the folder, or one below it, name its new path; at the root, where no scope can name it, they list its documents instead.',
    callers: 'editor',
    missing: 'the workspace, or a document in the folder,',
    invalid,
    body: { folder: 'Contracts', to: 'Archive/Contracts' },
  },
}
