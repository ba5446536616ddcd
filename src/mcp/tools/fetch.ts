// The text behind a result of `search`, in the shape that ChatGPT requires.

import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import type { StartPosition } from '../../documents/documents.ts'
import type { Part } from '../reading.ts'
import { readPart } from '../reading.ts'
import { defineTool, READS, type Session } from '../tool.ts'
import type { ReadableWorkspace } from '../workspaces.ts'
import { isUuid, workspaceOf } from '../workspaces.ts'

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
    const { document, start } = parseId(id)
    const workspace = await workspaceOf(session.deps, session.caller, {
      kind: 'document',
      id: document,
      idOrName: undefined,
    })
    const part = await wholeOrFrom(session, workspace, document, start)
    const { title, text, url, from, next, total } = part
    const metadata = {
      workspace: workspace.name,
      passages: `${Math.min(from + 1, total)}-${next} of ${total}`,
      ...(next < total ? { next: `${document}+${next}` } : {}),
    }
    return { id, title, text, url, metadata }
  },
})

/** `document`, `document#passage` or `document+position`. */
function parseId(id: string): { document: string; start: StartPosition } {
  const [, document = id, sign, rest = ''] = /^([^#+]*)([#+])(.*)$/.exec(id.trim()) ?? []
  if (sign === '+' && /^\d{1,9}$/.test(rest)) return { document, start: Number(rest) }
  return { document, start: sign === '#' && isUuid(rest) ? { chunk: rest } : 0 }
}

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
