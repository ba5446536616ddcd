// `source_url`: a link that a person can open. It leads to the passage in the console, by way of the sign-in page.

import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ThreadContent } from '../../src/contract/conversations.ts'
import type { Answer, DocumentContent, SearchResults } from '../../src/contract/resources.ts'
import { bodyOf, PASSWORD, type Person, type TestApp, testApp } from '../support/app.ts'
import { hiddenOf } from '../support/oauth.ts'
import { publish } from '../support/publish.ts'

let app: TestApp
let owner: Person
let token: string
let workspace: string
let link: string
const document = randomUUID()
const consoleDir = mkdtempSync(join(tmpdir(), 'kenning-console-'))

beforeAll(async () => {
  mkdirSync(join(consoleDir, 'assets'))
  writeFileSync(join(consoleDir, 'index.html'), '<!doctype html><title>The console</title>')
  app = await testApp({ consoleDir })
  owner = await app.person()
  token = await app.token(owner)
  workspace = await app.workspace(owner)
  const texts = ['The slipway crane lifts twelve tonnes.', 'The rent is paid in March each year.']
  const [first = ''] = await publish(app.deps.db, workspace, document, texts)
  link = `${app.deps.settings.origin}/w/${workspace}/d/${document}?page=1&chunk=${first}`
})
afterAll(async () => {
  await app.close()
  rmSync(consoleDir, { recursive: true })
})

test('every passage has the address at which the console shows it: found, read, cited, and cited before', async () => {
  const at = `/v1/workspaces/${workspace}`
  const query = { body: { query: 'slipway crane' } }
  const found = bodyOf<SearchResults>(await app.send('POST', `${at}/search`, token, query))
  expect(found.data[0]?.source_url).toBe(link)
  const read = bodyOf<DocumentContent>(await app.send('GET', `${at}/documents/${document}`, token))
  expect(read.chunks[0]?.source_url).toBe(link)
  const asked = { body: { question: 'What does the slipway crane lift?' } }
  const answer = bodyOf<Answer>(await app.send('POST', `${at}/ask`, token, asked))
  expect(answer.citations[0]?.source_url).toBe(link)
  const kept = await app.send('GET', `${at}/threads/${answer.thread_id}`, token)
  expect(bodyOf<ThreadContent>(kept).turns[0]?.citations[0]?.source_url).toBe(link)
})

test('who is not signed in is asked to, and comes back exactly there', async () => {
  const { pathname, search, origin } = new URL(link)
  const there = pathname + search
  const refused = await app.server.inject({ url: there })
  expect(refused.statusCode).toBe(303)
  const signIn = String(refused.headers.location)
  expect(new URLSearchParams(signIn.split('?')[1]).get('next')).toBe(there)
  const form = hiddenOf((await app.server.inject({ url: signIn })).body)
  const payload = new URLSearchParams({ ...form, email: owner.email, password: PASSWORD }).toString()
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
  const signedIn = await app.server.inject({ method: 'POST', url: '/sign-in', headers, payload })
  expect(new URL(String(signedIn.headers.location), origin).href).toBe(link)
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  const shown = await app.server.inject({ url: there, headers: { cookie } })
  expect([shown.statusCode, shown.body]).toEqual([200, expect.stringContaining('The console')])
})
