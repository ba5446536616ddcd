// A draft checked against the documents of one workspace: each sentence with its verdict and the passages that say so.

import { z } from 'zod'
import { checkText } from '../../ask/check-text.ts'
import { text } from '../../contract/fields.ts'
import { ApiError } from '../../errors.ts'
import { countFitting, cutText } from '../budget.ts'
import { workspace } from '../fields.ts'
import { documentUrl } from '../links.ts'
import { defineTool, READS } from '../tool.ts'
import { workspacesFor } from '../workspaces.ts'

// What an assistant writes in one turn.
const MAX_LENGTH = 20_000
const MAX_QUOTE_TOKENS = 150

export const checkTextTool = defineTool({
  name: 'check_text',
  title: 'Check a text',
  description: 'Check each sentence of a draft: supported, contradicted or not_found in one workspace.',
  ability: 'read',
  hints: READS,
  input: z.object({ text: text(1, MAX_LENGTH), workspace }),
  output: z.object({
    sentences: z.array(
      z.object({
        text: z.string(),
        verdict: z.string(),
        passages: z.array(z.object({ title: z.string(), text: z.string(), url: z.string() })),
      }),
    ),
    omitted: z.int(),
  }),
  run: async ({ deps, depsOf, caller, signal }, { text: draft, workspace: idOrName }) => {
    const { workspaces } = await workspacesFor(deps, caller, idOrName)
    const [workspace] = workspaces
    if (!workspace) throw new ApiError(404, 'not_found', 'There are no documents yet that you can read.')
    if (workspaces.length > 1)
      throw new ApiError(422, 'invalid_request', 'Name the workspace that the text is checked against.')
    const { data } = await checkText(depsOf(workspace.id), caller, workspace.id, { text: draft }, signal)
    const sentences = data.map(({ text: sentence, verdict, passages }) => ({
      text: sentence,
      verdict,
      passages: passages.map((passage) => ({
        title: cutText(passage.document_title, 100),
        text: cutText(passage.text, MAX_QUOTE_TOKENS),
        url: documentUrl(deps.settings, passage.document_id, passage.chunk_id),
      })),
    }))
    const fittingSentences = sentences.slice(0, countFitting(sentences, 0))
    return { sentences: fittingSentences, omitted: sentences.length - fittingSentences.length }
  },
})
