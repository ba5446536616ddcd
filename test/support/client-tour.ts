// A program of somebody who uses the client, as text: it is compiled and bundled elsewhere, by what the package exports.

export interface Seen {
  me: string
  shares: number[]
  filed: string[]
  found: string | undefined
  steps: number
  answer: string
  titles: string[]
  error: unknown
}

export const TOUR = `
import { type AskEvent, createClient, type KenningClient, KenningError, type SearchResults, type Workspace } from 'kenning/client'

export async function tour(baseUrl: string, token: string) {
  const kenning: KenningClient = createClient({ baseUrl, token })
  const me = await kenning.getMe()
  const workspace: Workspace = await kenning.createWorkspace({ name: 'Tour' }, { idempotencyKey: 'tour' })
  const workspace_id = workspace.id
  const shares: number[] = []
  const files = ['gate', 'harbour'].map((place) => ({
    name: \`Keys/\${place}.md\`,
    content: new Blob([\`The key of the \${place} lies under the third stone. <!-- \${'x'.repeat(300_000)} -->\`]),
  }))
  const job = await kenning.upload({ workspace_id, files, on_conflict: 'fail' }, { onProgress: (share) => shares.push(share) })
  // Later events have only the files that changed.
  const filed = new Set<string>()
  for await (const { data } of kenning.jobEvents({ job_id: job.id })) {
    for (const { filename } of data.files) filed.add(filename)
    if (data.state === 'searchable' || data.state === 'complete') break
  }
  const found: SearchResults = await kenning.search({ workspace_id, query: 'harbour key', limit: 1 })
  const events: AskEvent[] = []
  for await (const event of kenning.askEvents({ workspace_id, question: 'Where is the key of the gate?' })) events.push(event)
  const last = events.at(-1)
  const titles: string[] = []
  for await (const { title } of kenning.all('listDocuments', { workspace_id, limit: 1 })) titles.push(title)
  const error: unknown = await kenning.getWorkspace({ workspace_id: crypto.randomUUID() }).catch((reason: unknown) => reason)
  return {
    me: me.auth,
    shares,
    filed: [...filed].sort(),
    found: found.data[0]?.text,
    steps: events.filter(({ event }) => event === 'step').length,
    answer: last?.event === 'answer' ? last.data.answer : '',
    titles,
    error: error instanceof KenningError ? { status: error.status, type: error.type } : String(error),
  }
}
`

/** What it must not compile with. */
export const MISTAKES = `
import { createClient } from 'kenning/client'

const kenning = createClient({ baseUrl: '/v1', token: 'x' })
// @ts-expect-error without a workspace
void kenning.search({ query: 'x' })
// @ts-expect-error a word that the contract does not have
void kenning.listDocumentDetails({ workspace_id: 'x', sort: 'beauty' })
// @ts-expect-error no list
void kenning.all('getMe', {})
// @ts-expect-error no file
void kenning.bytes('getMe', {})
// @ts-expect-error nothing comes back
void kenning.deleteWorkspace({ workspace_id: 'x' }).then((answer) => answer.id)
`
