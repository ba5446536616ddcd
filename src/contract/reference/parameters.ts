// What the parameters of paths and queries mean, by their names. A parameter of one name means the same in every operation.

import type { z } from 'zod'
import type { endpoints } from '../endpoints.ts'
import { CURSOR, ID, JOB_ID, VERSION_ID } from './library.ts'

type Row = (typeof endpoints)[keyof typeof endpoints]
type NamesOf<One, Part extends 'params' | 'query'> =
  One extends Record<Part, infer Schema extends z.ZodObject> ? keyof Schema['shape'] : never

export const parameters: Record<
  NamesOf<Row, 'params'> | NamesOf<Row, 'query'>,
  { description: string; example: unknown }
> = {
  workspace_id: { description: 'The id of the workspace.', example: ID.workspace },
  document_id: { description: 'The id of the document.', example: ID.lease },
  job_id: { description: 'The id of the job, as the upload returned it.', example: JOB_ID },
  entity_id: { description: 'The id of the entity.', example: ID.tidewick },
  other_id: { description: 'The id of the other entity.', example: ID.corrigan },
  merged_id: {
    description: 'The id of the entity that is merged into the first, or was.',
    example: ID.tidewickShort,
  },
  version_id: { description: "The SHA-256 of the version's file, in hexadecimal.", example: VERSION_ID },
  page: { description: 'The number of a page, from 1.', example: '2' },
  folder: {
    description: 'A folder: the documents in it and in all folders below it.',
    example: 'Contracts/Leases',
  },
  width: {
    description:
      'The width of the picture in pixels: 64, 128 or 256. Without it 1,600 pixels along the longer side.',
    example: '128',
  },
  scope_name: { description: 'The name of the scope.', example: 'Leases' },
  user_id: { description: 'The id of the account.', example: ID.editor },
  thread_id: { description: 'The id of the conversation, as an answer returned it.', example: ID.thread },
  turn_number: { description: 'Which question of the conversation, from 1.', example: '1' },
  source_id: { description: 'The id of the source.', example: ID.source },
  webhook_id: { description: 'The id of the webhook.', example: ID.webhook },
  question_id: { description: 'The id of the saved question.', example: ID.question },
  trash_id: {
    description: 'The id that the document has in the trash, which is not its document id.',
    example: ID.trashed,
  },
  import_id: { description: 'The id of the import.', example: ID.import },
  limit: { description: 'How many items to return at most.', example: 20 },
  groups: {
    description: 'How many groups of documents to return at most (extension). 0: none, which is faster.',
    example: 8,
  },
  cursor: {
    description: 'Where to go on: `next_cursor` of the page before. Without it the list begins.',
    example: CURSOR,
  },
  q: { description: 'Words to filter by. Absent or empty: no filter.', example: 'lease' },
  type: { description: 'Only entities of this type.', example: 'organization' },
  depth: {
    description:
      '1: the relations of the entity. 2: also the strongest relations of the entities at their ends.',
    example: 1,
  },
  max_chars: {
    description: 'About how many characters of text a page has. A chunk is never cut.',
    example: 18_000,
  },
  on_conflict: {
    description: 'What to do with a file that has the name of a document in the workspace.',
    example: 'replace',
  },
  scope: { description: 'Only documents of the scope with this name.', example: 'Leases' },
  sort: { description: 'What the list is ordered by.', example: 'uploaded_at' },
  order: { description: '`asc`: the smallest first. `desc`: the largest first.', example: 'desc' },
  with: { description: 'Only passages that state a relation to this entity.', example: ID.corrigan },
  documents: { description: 'What happens with the documents that came from the source.', example: 'keep' },
  ids: { description: 'Which ids the imported workspace gets.', example: 'new' },
  name: {
    description: 'A name for the workspace in place of the one in the archive.',
    example: 'Tidewick Instruments (copy)',
  },
}
