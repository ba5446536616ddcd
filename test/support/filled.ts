// A workspace in use: furnished, and with a document that came the whole way, a question answered, a repeated request.

import type { ParserPool } from '../../src/reader/pool.ts'
import { bodyOf, type Person, type TestApp } from './app.ts'
import { drain } from './ingest.ts'
import { type Contents, type FilePart, furnish, multipart } from './world.ts'

/** Every table that belongs to workspaces and is not rarely used then has rows of it. */
export async function fill(
  app: TestApp,
  pool: ParserPool,
  owner: Person,
  files: FilePart[],
): Promise<Contents> {
  const contents = await furnish(app, owner)
  const token = await app.token(owner)
  const workspaceUrl = `/v1/workspaces/${contents.workspace_id}`
  const { payload, headers } = multipart(files)
  const response = await app.send('POST', `${workspaceUrl}/files`, token, {
    ...(payload === undefined ? {} : { payload }),
    headers: { ...headers, 'idempotency-key': 'once' },
  })
  if (response.status !== 202) throw new Error(`the files were not taken: ${response.text}`)
  await drain({ ...app.deps, parser: pool })
  const question = 'What do the notes say?'
  const answer = await app.send('POST', `${workspaceUrl}/ask`, token, { body: { question } })
  return { ...contents, thread_id: bodyOf<{ thread_id: string }>(answer).thread_id }
}
