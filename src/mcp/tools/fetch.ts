// The text behind a result of `search`, in the shape that ChatGPT requires.

import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import type { StartPosition } from '../../documents/documents.ts'
import { type Place, parsePlace, shortId } from '../ids.ts'
import type { Part } from '../reading.ts'
import { readPart } from '../reading.ts'
import { defineTool, READS, type Session } from '../tool.ts'
import type { ReadableWorkspace } from '../workspaces.ts'
import { objectNamed } from '../workspaces.ts'

export const fetchTool = defineTool({
  name: 'fetch',
  title: 'Fetch',
  description:
    'Read the document of a search result; a long one from the passage found. metadata.next is the id of the part that follows.',
  ability: 'read',
  hints: READS,
  input: z.object({ id: text(1, 200) }),
  output: z.object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()).optional(),
  }),
  run: async (session, { id }) => {
    const place = parsePlace(id) ?? { document: id }
    const name = { kind: 'document', id: place.document, idOrName: undefined } as const
    const { workspace, id: document } = await objectNamed(session.deps, session.caller, name)
    const part = await wholeOrFrom(session, workspace, document, startOf(place))
    const { title, text, url, from, next, total } = part
    const metadata = {
      ...workspace.label,
      passages: `${Math.min(from + 1, total)}-${next} of ${total}`,
      ...(next < total ? { next: `${shortId(document)}+${next}` } : {}),
    }
    return { id, title, text, url, metadata }
  },
})

const startOf = ({ chunk, position }: Place): StartPosition =>
  chunk === undefined ? (position ?? 0) : { chunk }

/** A short document whole, a long one from its passage on, with the passage before it. */
async function wholeOrFrom(
  session: Session,
  workspace: ReadableWorkspace,
  document: string,
  start: StartPosition,
): Promise<Part> {
  if (typeof start === 'number') return readPart(session, workspace, document, start)
  const wholePart = await readPart(session, workspace, document, 0)
  if (wholePart.next >= wholePart.total) return wholePart
  const { from } = await readPart(session, workspace, document, start)
  return readPart(session, workspace, document, Math.max(0, from - 1))
}
