// The MCP server over TCP: every tool through both generations of the client, in one workspace and across several.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/errors.ts'
import type { Session } from '../../src/mcp/tool.ts'
import { askTool } from '../../src/mcp/tools/ask.ts'
import { openChatModel } from '../../src/ports/llm/llm.ts'
import { openPool } from '../../src/reader/pool.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { type ChatServer, chatServer } from '../support/chat-server.ts'
import { callerOf, drain, upload } from '../support/ingest.ts'
import { connectMcp, GENERATIONS, type McpClient, type Progress, resultOf, textOf } from '../support/mcp.ts'
import { freePort } from '../support/service.ts'

const CHARTER = `# Charter of the Halden Rowing Club

## 1. Chair

Ingrid Solheim is the chair of the Halden Rowing Club. She was elected in March 2021 by the members.

## 2. Boat hall

The slipway crane lifts twelve tonnes and stands behind the boat hall.
`
const LEASE = readFileSync('examples/lease-ropewalk-yard.pdf')
const MANUAL = `# Pump manual\n\n${Array.from({ length: 120 }, (_, no) => `## Pump BW-${no}\n\nPump BW-${no} feeds basin ${no}; its filter is changed every ${no + 2} weeks by the harbour crew of shift ${no % 7}. Its spare parts are in cabinet ${no * 3}.`).join('\n\n')}\n`

let app: TestApp
let url: string
let owner: Person
let token: string
const workspaces = { club: '', harbour: '' }

beforeAll(async () => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  app = await testApp({ askPerHour: 10_000, origin, siteUrl: origin, baseUrl: `${origin}/v1` })
  await app.server.listen({ host: '127.0.0.1', port })
  url = `${origin}/v1/mcp`
  owner = await app.person()
  token = await app.token(owner)
  const parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  workspaces.club = await app.workspace(owner, 'Rowing club')
  workspaces.harbour = await app.workspace(owner, 'Harbour')
  await upload(app.deps, owner, workspaces.club, { 'charter.md': CHARTER })
  await upload(app.deps, owner, workspaces.harbour, { 'lease.pdf': LEASE, 'manual.md': MANUAL })
  await drain({ ...app.deps, parser })
  await parser.close()
})
afterAll(async () => {
  await app.close()
})

const connect = (generation: (typeof GENERATIONS)[number] = 'client 2, modern', as = token) =>
  connectMcp(generation, url, { token: as })

/** Where a short address leads in the browser of its reader, and the status of that answer. */
async function opened(address: string | undefined): Promise<[location: string, status: number]> {
  const answer = await app.server.inject({
    url: new URL(address ?? '').pathname,
    headers: { cookie: await app.cookie(owner) },
  })
  return [String(answer.headers.location), answer.statusCode]
}

describe.each(GENERATIONS)('%s', (generation) => {
  let client: McpClient
  beforeAll(async () => {
    client = await connect(generation)
  })
  afterAll(() => client?.close())

  test('lists the tools, resources and no prompts', async () => {
    const names = (await client.tools()).map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['search', 'fetch'])
    expect(names).toHaveLength(14)
    expect((await client.resources()).map(({ name }) => name)).toContain('Pump manual')
    expect(await client.prompts()).toEqual([])
    expect(client.instructions).toContain("the user's own documents")
  })

  test('search, then fetch, as ChatGPT does', async () => {
    const found = await client.call('search', { query: 'Who chairs the rowing club?' })
    const { results } = resultOf<{ results: { id: string; title: string; url: string; text: string }[] }>(
      found,
    )
    expect(JSON.parse(textOf(found))).toEqual(found.structuredContent)
    const [first] = results
    expect(first?.text).toContain('Ingrid Solheim')
    const fetched = await client.call('fetch', { id: first?.id })
    const document = resultOf<{ id: string; title: string; text: string; url: string }>(fetched)
    expect(JSON.parse(textOf(fetched))).toEqual(fetched.structuredContent)
    expect(document).toMatchObject({ id: first?.id, title: first?.title })
    expect(document.text).toContain('slipway crane')
    expect(first?.id).toMatch(/^[0-9a-f]{8}\.[0-9a-f]{6}$/)
    const [digits, chunk] = first?.id.split('.') ?? []
    expect(first?.url).toMatch(new RegExp(`^${app.deps.settings.siteUrl}/d/${digits}[0-9a-f]{8}\\.${chunk}$`))
    const [path] = await opened(first?.url)
    expect(path).toMatch(
      new RegExp(`^/w/${workspaces.club}/d/[0-9a-f-]{36}\\?(page=\\d+&)?chunk=[0-9a-f-]{36}$`),
    )
    expect(await opened(document.url)).toEqual([path?.replace(/\?.*/, ''), 303])
  })

  test('answers a question with citations and tells its steps', async () => {
    const seen: Progress[] = []
    const answered = await client.call(
      'ask',
      { question: 'How many tonnes does the slipway crane lift?' },
      { onprogress: (progress) => seen.push(progress) },
    )
    const answer = resultOf<{
      answer: string
      citations: { text: string; url: string }[]
      workspace: string
      thread_id: string
    }>(answered)
    expect(answer.answer).toContain('twelve tonnes')
    expect(answer.workspace).toBe('Rowing club')
    expect((await opened(answer.citations[0]?.url))[0]).toMatch(/^\/w\/.*\/d\/.*\?(page=\d+&)?chunk=/)
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_, no) => no + 1))
    const { thread_id } = answer
    const again = await client.call('ask', { question: 'And where does it stand?', thread_id })
    expect(resultOf<typeof answer>(again)).toMatchObject({ thread_id, workspace: 'Rowing club' })
  })

  test('calls all other tools', async () => {
    const passages = resultOf<{ passages: { url: string; workspace: string; text: string }[] }>(
      await client.call('search_passages', { query: 'slipway crane', limit: 3 }),
    ).passages
    expect(passages[0]).toMatchObject({ workspace: 'Rowing club' })
    const { text: passage } = resultOf<{ text: string }>(
      await client.call('read_document', { document: passages[0]?.url }),
    )
    expect(passage).toContain('slipway crane')
    const titles = resultOf<{ documents: { title: string; document: string }[] }>(
      await client.call('list_documents'),
    )
    expect(titles.documents).toHaveLength(3)
    const document = titles.documents.find(({ title }) => title.startsWith('Charter'))?.document
    const read = resultOf<{ text: string }>(await client.call('read_document', { document }))
    expect(read.text).toContain('Ingrid Solheim')
    const { entities } = resultOf<{ entities: { entity: string; name: string }[] }>(
      await client.call('find_entities', { query: 'Ingrid Solheim' }),
    )
    expect(entities[0]?.name).toBe('Ingrid Solheim')
    const byId = await client.call('neighbours', { entity: entities[0]?.entity })
    const byName = await client.call('neighbours', { entity: 'Ingrid Solheim' })
    const { relations } = resultOf<{ relations: unknown[] }>(byId)
    expect(relations.length).toBeGreaterThan(0)
    // By name it is looked for in every workspace.
    const named = resultOf<{ relations: unknown[] }>(byName)
    expect(named.relations).toEqual(expect.arrayContaining(relations))
    const { themes } = resultOf<{ themes: { workspace: string }[] }>(await client.call('themes'))
    expect(themes.map(({ workspace }) => workspace)).toEqual(['Rowing club', 'Harbour'])
    const listed = resultOf<{ workspaces: { name: string }[] }>(await client.call('list_workspaces'))
    expect(listed.workspaces.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Rowing club', 'Harbour']),
    )
  })

  test('writes where it may: a workspace, a text in it, and away with it', async () => {
    const name = `Notes of ${generation}`
    const made = resultOf<{ workspace: string }>(await client.call('create_workspace', { name }))
    const sent = await client.call('upload_text', {
      title: 'A note',
      text: '# Note\n\nA tide.',
      workspace: name,
    })
    expect(resultOf<{ file: string }>(sent)).toMatchObject({ file: 'A note.md', workspace: name })
    const parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
    await drain({ ...app.deps, parser })
    await parser.close()
    const here = { workspace: made.workspace }
    const { documents } = resultOf<{ documents: { document: string; title: string }[] }>(
      await client.call('list_documents', here),
    )
    expect(documents).toHaveLength(1)
    await client.call('delete_document', { ...documents[0] })
    const after = resultOf<{ documents: unknown[] }>(await client.call('list_documents', here))
    expect(after.documents).toEqual([])
  })

  test('reads a document as a resource', async () => {
    const charter = (await client.resources()).find(({ name }) => name.startsWith('Charter'))
    expect(await client.read(charter?.uri ?? '')).toContain('slipway crane')
    await expect(client.read('kenning://documents/3f2504e0-4f89-41d3-9a0c-0305e82c3301')).rejects.toThrow()
  })
})

test('a search is narrowed by scope, kind, folder and days, in one workspace or all', async () => {
  const person = await app.person()
  const as = await app.token(person)
  const [first, second] = [await app.workspace(person, 'First'), await app.workspace(person, 'Second')]
  const note = (name: string): string => `# ${name}\n\nThe sluice of ${name} is opened at noon.\n`
  await upload(app.deps, person, first, {
    'Plans/2026/may.md': note('May'),
    'Plans/2026-old/june.txt': note('June'),
    'july.md': note('July'),
  })
  await upload(app.deps, person, second, { 'Letters/august.md': note('August') })
  const parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  await drain({ ...app.deps, parser })
  await parser.close()
  const client = await connect('client 2, modern', as)
  const found = async (filter: object): Promise<[string[], string | undefined]> => {
    const result = await client.call('search_passages', { query: 'sluice opened', ...filter })
    const { passages, note } = resultOf<{ passages: { text: string }[]; note?: string }>(result)
    const months = passages.flatMap(({ text }) => /sluice of (\w+)/.exec(text)?.[1] ?? [])
    return [[...new Set(months)].sort(), note]
  }
  const today = new Date().toISOString().slice(0, 10)
  expect(await found({})).toEqual([['August', 'July', 'June', 'May'], undefined])
  expect(await found({ folder: '/Plans/' })).toEqual([['June', 'May'], undefined])
  expect(await found({ folder: 'Plans/2026' })).toEqual([['May'], undefined])
  expect(await found({ kind: '.MD', since: '2020-01-01' })).toEqual([['August', 'July', 'May'], undefined])
  expect(await found({ kind: 'txt', folder: 'Plans', until: '2999-01-01' })).toEqual([['June'], undefined])
  // Only one of the workspaces has the scope.
  expect(await found({ scope: 'folder:Letters' })).toEqual([['August'], undefined])
  expect(await found({ scope: 'folder:Plans', kind: 'text' })).toEqual([['June'], undefined])
  expect(await found({ until: '2020-01-01' })).toEqual([[], 'Nothing was found. Search again without until.'])
  expect(await found({ scope: 'nowhere' })).toEqual([
    [],
    'There is no scope “nowhere”. Nothing was found. Search again without scope.',
  ])
  expect(await found({ since: today, workspace: 'Second' })).toEqual([['August'], undefined])
  // The next page is of the same filter.
  const page = await client.call('search_passages', { query: 'sluice opened', kind: 'markdown', limit: 1 })
  const { next_cursor: cursor } = resultOf<{ next_cursor: string }>(page)
  const other = await client.call('search_passages', { query: 'sluice opened', limit: 1, cursor })
  expect([other.isError, textOf(other)]).toEqual([true, expect.stringMatching(/cursor/)])
  expect(textOf(await client.call('search', { query: 'unheardofword' }))).toMatch(
    /Nothing was found. Try fewer/,
  )
  const nothing = await client.call('search', { query: '"never written"', workspace: 'First' })
  expect(JSON.parse(textOf(nothing))).toEqual(nothing.structuredContent)
  await client.close()
})

describe('a question that takes long', () => {
  const QUESTION = { question: 'How many tonnes does the slipway crane lift?' }
  let chat: ChatServer
  beforeAll(async () => {
    chat = await chatServer()
    const model = openChatModel({ url: chat.url, model: 'm', key: undefined, firstDelayMs: 1 })
    app.deps.llm = async () => model
  })
  afterAll(async () => {
    app.deps.llm = async () => undefined
    await chat.close()
  })

  /** Resolves when the model is asked, which then says nothing. */
  const modelAsked = (): Promise<void> =>
    new Promise((resolve) => {
      chat.answer = () => {
        resolve()
        return { silent: true }
      }
    })

  test('is given up when its client cancels it', async () => {
    const client = await connect('client 2, modern')
    const [busy, left, cancelled] = [modelAsked(), chat.left(), new AbortController()]
    const asked = client.call('ask', QUESTION, { signal: cancelled.signal })
    asked.catch(() => undefined)
    await busy
    cancelled.abort(new Error('changed my mind'))
    await expect(asked).rejects.toThrow()
    await left
    await client.close()
  })

  // In this era a server without sessions cannot tell which request a notification cancels.
  test.each(['client 2, legacy', 'sdk 1'] as const)('is given up when %s leaves', async (generation) => {
    const client = await connect(generation)
    const [busy, left] = [modelAsked(), chat.left()]
    const asked = client.call('ask', QUESTION)
    asked.catch(() => undefined)
    await busy
    await client.close()
    await expect(asked).rejects.toThrow()
    await left
  })

  test('has no answer once the credential was revoked', async () => {
    app.deps.llm = async () => undefined
    let steps = 0
    const session: Session = {
      caller: callerOf(owner),
      deps: app.deps,
      depsOf: () => app.deps,
      signal: new AbortController().signal,
      requireStillAllowed: async () => {
        if (++steps === 3) throw new ApiError(401, 'unauthorized', 'revoked')
      },
      progress: async () => {},
    }
    await expect(askTool.run(session, QUESTION)).rejects.toThrow('revoked')
    expect(steps).toBe(3)
  })
})
