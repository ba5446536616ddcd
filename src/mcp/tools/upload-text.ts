// A text as a new document.

import { Readable } from 'node:stream'
import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import { uploadFiles } from '../../ingest/uploads.ts'
import { workspace } from '../fields.ts'
import { ADDS, defineTool } from '../tool.ts'
import { workspaceToWrite } from '../workspaces.ts'

export const uploadTextTool = defineTool({
  name: 'upload_text',
  title: 'Upload text',
  description: 'Add a Markdown text as a new document, only if the user asked for it. Never replaces one.',
  ability: 'write',
  hints: ADDS,
  input: z.object({ title: text(1, 200, { trim: true }), text: text(1, 500_000), workspace }),
  output: z.object({ file: z.string(), workspace: z.string(), status: z.string() }),
  run: async ({ depsOf, caller, deps }, { title, text, workspace: idOrName }) => {
    const workspace = await workspaceToWrite(deps, caller, idOrName)
    const name = `${
      title
        .replace(/[\\/:\t\n\r]+/g, ' ')
        .replace(/^\.+/, '')
        .trim() || 'Note'
    }.md`
    async function* parts() {
      yield { filename: name, stream: Readable.from([Buffer.from(text)]) }
    }
    // A second document beside one of the same name: a model that was misled must not change what people wrote.
    const job = await uploadFiles(depsOf(workspace.id), caller, workspace.id, {
      parts: parts(),
      onConflict: 'keep_both',
    })
    return {
      file: job.files[0]?.filename ?? name,
      workspace: workspace.name,
      status: 'uploaded; it can be found in a few seconds',
    }
  },
})
