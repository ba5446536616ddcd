// Long requests are authorized twice, when they begin and when they commit: what was revoked in between takes effect.

import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticate } from '../../src/auth/credential.ts'
import { uploadFiles } from '../../src/ingest/uploads.ts'
import type { StagedFile } from '../../src/ports/blobs/blobs.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { encoded, hiddenOf, makeVerifier, openTab, register, request } from '../support/oauth.ts'
import { activityOf, expireTokens, makeAdmin, revokeGrant, untilSomeoneWaits } from '../support/rows.sql.ts'
import { openWire, statusOf, type Wire } from '../support/socket.ts'

let app: TestApp
let port: number
let owner: Person
let ownerToken: string
let boss: string
beforeAll(async () => {
  app = await testApp()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  port = Number(new URL(app.server.listeningOrigin).port)
  owner = await app.person()
  ownerToken = await app.token(owner)
  const admin = await app.person()
  await makeAdmin(app.deps.db, admin.id)
  boss = await app.cookie(admin)
})
afterAll(() => app.close())

const ORIGIN = 'http://127.0.0.1:8484'

/** Sends the head and the first half of the body; `finish` sends the rest and says how it was answered. */
async function begin(start: string, lines: string[], body: string) {
  const wire: Wire = await openWire(port)
  const head = [`${start} HTTP/1.1`, 'Host: x', `Content-Length: ${body.length}`, ...lines].join('\r\n')
  const half = Math.floor(body.length / 2)
  wire.write(`${head}\r\n\r\n${body.slice(0, half)}`)
  return {
    send: () => wire.write(body.slice(half)),
    finish: async (): Promise<number> => {
      wire.write(body.slice(half))
      return answered(wire)
    },
    answered: () => answered(wire),
    head: () => headOf(wire),
  }
}

async function headOf(wire: Wire): Promise<string> {
  const text = await wire.read((got) => got.includes('\r\n\r\n'))
  wire.close()
  return text
}

const answered = async (wire: Wire): Promise<number> => statusOf(await headOf(wire))

const folder = (name: string) =>
  readdirSync(join(app.deps.settings.dataDir, name), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile(),
  )

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2000 && !holds(); turn++) await sleep(5)
  expect(holds()).toBe(true)
}

async function beginUpload(workspace: string, token: string) {
  const body = `--b\r\nContent-Disposition: form-data; name="files"; filename="${randomUUID()}.md"\r\n\r\n${`${randomUUID()} `.repeat(4000)}\r\n--b--\r\n`
  const lines = [`Authorization: Bearer ${token}`, 'Content-Type: multipart/form-data; boundary=b']
  const upload = await begin(`POST /v1/workspaces/${workspace}/files`, lines, body)
  await until(() => folder('staging').length === 1)
  return upload
}

/** What an upload leaves behind: jobs, blobs, the activity of the workspace. */
async function traces(workspace: string) {
  const jobs = await app.send('GET', `/v1/workspaces/${workspace}/jobs`, ownerToken)
  const acts = await activityOf(app.deps.db, workspace)
  return {
    jobs: jobs.status === 404 ? 0 : bodyOf<{ data: unknown[] }>(jobs).data.length,
    uploads: acts.filter(({ action }) => action === 'files_uploaded').length,
    blobs: folder('blobs').length,
    staged: folder('staging').length,
  }
}

const as = (cookie: string, body?: object) => ({ headers: { origin: ORIGIN, cookie }, ...(body && { body }) })

interface Editor {
  person: Person
  workspace: string
  token: string
  grantId: string
  cookie: string
}

/** An editor in a workspace of somebody else's. */
async function editor(): Promise<Editor> {
  const person = await app.person()
  const workspace = await app.workspace(owner)
  await app.member(workspace, person, 'editor')
  const grantId = randomUUID()
  return {
    person,
    workspace,
    grantId,
    token: await app.token(person, { grantId }),
    cookie: await app.cookie(person),
  }
}

describe('an upload whose sender, while the body is on its way,', () => {
  const changes: Record<string, [change: (of: Editor) => Promise<unknown>, status: number]> = {
    'keeps all it has': [async () => undefined, 202],
    'is removed from the workspace': [
      ({ workspace, person }) =>
        app.send('DELETE', `/v1/workspaces/${workspace}/members/${person.id}`, ownerToken),
      404,
    ],
    'is made a viewer': [
      ({ workspace, person: { email } }) =>
        app.send('PUT', `/v1/workspaces/${workspace}/members`, ownerToken, {
          body: { email, role: 'viewer' },
        }),
      403,
    ],
    'is suspended': [
      ({ person }) =>
        app.send('PATCH', `/account/users/${person.id}`, undefined, as(boss, { status: 'suspended' })),
      401,
    ],
    'puts the program out': [
      ({ grantId, cookie }) => app.send('DELETE', `/account/grants/${grantId}`, undefined, as(cookie)),
      401,
    ],
    'has a token that runs out': [({ grantId }) => expireTokens(app.deps.db, grantId), 401],
    'loses the workspace': [
      ({ workspace }) => app.send('DELETE', `/v1/workspaces/${workspace}`, ownerToken),
      404,
    ],
  }
  test.each(Object.entries(changes))('%s', async (_name, [change, status]) => {
    const of = await editor()
    const before = await traces(of.workspace)
    const upload = await beginUpload(of.workspace, of.token)
    const changed = await change(of)
    expect((changed as { status?: number } | undefined)?.status ?? 200).toBeLessThan(300)
    expect(await upload.finish()).toBe(status)
    const kept = status === 202 ? 1 : 0
    expect(await traces(of.workspace)).toEqual({
      jobs: before.jobs + kept,
      uploads: before.uploads + kept,
      blobs: before.blobs + kept,
      staged: 0,
    })
  })

  test('signs out everywhere', async () => {
    const { workspace, cookie } = await editor()
    const traded = await app.send('POST', '/session/token', undefined, as(cookie))
    const upload = await beginUpload(workspace, bodyOf<{ access_token: string }>(traded).access_token)
    expect((await app.send('DELETE', '/account/sessions', undefined, as(cookie))).status).toBe(204)
    expect(await upload.finish()).toBe(401)
  })

  test('loses the token at the very moment of its commit waits for that, and is refused', async () => {
    const { workspace, token, grantId } = await editor()
    const before = await traces(workspace)
    const upload = await beginUpload(workspace, token)
    await app.deps.db.tx(async (tx) => {
      await revokeGrant(tx, grantId)
      upload.send()
      await untilSomeoneWaits(tx, 1000)
    })
    expect(await upload.answered()).toBe(401)
    expect(await traces(workspace)).toEqual(before)
  })

  // Its bytes are kept already: what is asked before that has let it pass.
  test.each(['puts the program out', 'is removed from the workspace', 'is made a viewer'])(
    '%s behind the last byte',
    async (name) => {
      const of = await editor()
      const [change, status] = changes[name] ?? []
      const before = await traces(of.workspace)
      const caller = await authenticate(app.deps, [`Bearer ${of.token}`])
      const keep = async (staged: StagedFile): Promise<void> => {
        await app.deps.blobs.keep(staged)
        await change?.(of)
      }
      const deps = { ...app.deps, blobs: { ...app.deps.blobs, keep } }
      async function* parts() {
        yield { filename: 'late.md', stream: Readable.from([randomUUID()]) }
      }
      await expect(uploadFiles(deps, caller, of.workspace, { parts: parts() })).rejects.toMatchObject({
        status,
      })
      const after = await traces(of.workspace)
      expect([after.jobs, after.uploads, after.staged]).toEqual([before.jobs, before.uploads, 0])
    },
  )
})

describe('a body that arrives after its headers is rejected when in the meantime', () => {
  const JSON_TYPE = 'Content-Type: application/json'

  test('its token was revoked', async () => {
    const { token, grantId } = await editor()
    const lines = [JSON_TYPE, `Authorization: Bearer ${token}`]
    const request = await begin('POST /v1/workspaces', lines, '{"name":"Late arrivals"}')
    await sleep(100)
    await revokeGrant(app.deps.db, grantId)
    expect(await request.finish()).toBe(401)
  })

  test('its session ended', async () => {
    const { workspace, cookie, person } = await editor()
    const lines = [JSON_TYPE, `Cookie: ${cookie}`, `Origin: ${ORIGIN}`]
    const body = JSON.stringify({ name: 'late', workspace_ids: [workspace] })
    const request = await begin('POST /account/keys', lines, body)
    await sleep(100)
    expect((await app.send('DELETE', '/account/sessions', undefined, as(cookie))).status).toBe(204)
    expect(await request.finish()).toBe(401)
    const listed = await app.send('GET', '/account/keys', undefined, as(await app.cookie(person)))
    expect(bodyOf<{ data: unknown[] }>(listed).data).toEqual([])
  })

  /** Where the form's sender is sent on to. */
  const form = async (url: string, cookie: string, fields: Record<string, string>) => {
    const lines = [
      'Content-Type: application/x-www-form-urlencoded',
      `Cookie: ${cookie}`,
      `Origin: ${ORIGIN}`,
    ]
    const request = await begin(`POST ${url}`, lines, encoded(fields))
    await sleep(100)
    expect((await app.send('DELETE', '/account/sessions', undefined, as(cookie))).status).toBe(204)
    request.send()
    return /^location: (\S+)/im.exec(await request.head())?.[1]
  }

  test('its session ended: consent for an OAuth client', async () => {
    const { cookie } = await editor()
    const asked = encoded(request(await register(app), makeVerifier()))
    const page = await openTab(app, cookie).get(`/oauth/authorize?${asked}`)
    const fields = { ...hiddenOf(page.text), decision: 'allow' }
    expect(await form('/oauth/consent', cookie, fields)).toMatch(/^\/sign-in\?/)
  })
})
