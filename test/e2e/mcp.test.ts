// The built service as an assistant meets it: an address, no credential, the sign-in in a browser, and then every tool.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { GENERATIONS, resultOf, signInToMcp } from '../support/mcp.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'

const NOTE = `# Charter of the Halden Rowing Club

Ingrid Solheim is the chair of the Halden Rowing Club. The slipway crane lifts twelve tonnes.
`
let service: SharedService

beforeAll(async () => {
  service = await sharedService()
  const client = makeClient(service.base, service.token)
  const { id } = await client.post<Workspace>('/workspaces', { name: 'Rowing club' })
  await client.done((await client.upload(id, [{ name: 'charter.md', bytes: NOTE }])).id)
  await client.ready(id)
})
afterAll(() => service?.leave())

test.each(GENERATIONS)('%s signs in and calls every tool', async (generation) => {
  const client = await signInToMcp(generation, `${service.base}/mcp`, service.account)
  try {
    const called = new Set<string>()
    const call = async <Body>(name: string, args: Record<string, unknown> = {}): Promise<Body> => {
      called.add(name)
      return resultOf<Body>(await client.call(name, args))
    }
    // The clients hold results against the schemas of the tools that they have seen listed.
    const tools = (await client.tools()).map(({ name }) => name)
    const { results } = await call<{ results: { id: string }[] }>('search', { query: 'slipway crane' })
    const fetched = await call<{ text: string }>('fetch', { id: results[0]?.id })
    expect(fetched.text).toContain('twelve tonnes')
    const question = 'How many tonnes does the slipway crane lift?'
    const { answer, citations } = await call<{ answer: string; citations: unknown[] }>('ask', { question })
    expect([answer, citations.length]).toEqual([expect.stringContaining('twelve tonnes'), 1])
    const { passages } = await call<{ passages: { url: string }[] }>('search_passages', { query: 'chair' })
    await call('read_document', { document: passages[0]?.url })
    await call('list_documents')
    const { entities } = await call<{ entities: { entity: string }[] }>('find_entities', { query: 'Ingrid' })
    await call('neighbours', { entity: entities[0]?.entity })
    await call('themes')
    await call('list_workspaces')
    const { workspace } = await call<{ workspace: string }>('create_workspace', { name: generation })
    await call('upload_text', { title: 'A note', text: 'The tide is high.', workspace })
    let documents: { document: string; title: string }[] = []
    while (documents.length === 0) {
      await sleep(100)
      documents = (await call<{ documents: typeof documents }>('list_documents', { workspace })).documents
    }
    const { sentences } = await call<{ sentences: { verdict: string }[] }>('check_text', {
      text: 'The tide is high.',
      workspace,
    })
    expect(sentences.map(({ verdict }) => verdict)).toEqual(['supported'])
    await call('delete_document', { ...documents[0] })
    expect([...called].sort()).toEqual(tools.sort())
  } finally {
    await client.close()
  }
})
