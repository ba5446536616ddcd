// Clients with a metadata document: it is fetched through the guarded client, the consent page shows its host, and it is not
// needed for tokens that were granted.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import {
  consent,
  encoded,
  type Fields,
  hiddenOf,
  makeVerifier,
  openTab,
  REDIRECT,
  redeem,
  refreshed,
  request,
  signInByPage,
} from '../support/oauth.ts'
import { HERE, type TestWeb, testWeb, watchSockets } from '../support/web.ts'

const ID = 'https://client.example/oauth/client.json'

let web: TestWeb
let app: TestApp
let person: Person
let cookie: string
let sockets: ReturnType<typeof watchSockets>
beforeAll(async () => {
  web = await testWeb({
    'client.example': () => [HERE],
    'wrong.example': () => [HERE],
    'inside.example': () => ['10.0.0.1'],
  })
  app = await testApp({}, web.internet)
  person = await app.person()
  cookie = await signInByPage(app, person)
})
afterAll(async () => {
  await app?.close()
  await web?.close()
})
beforeEach(() => {
  web.asked.length = 0
  sockets = watchSockets()
})
afterEach(() => sockets.stop())

const document = (more: object = {}, id = ID): object => ({
  client_id: id,
  client_name: 'A tool',
  client_uri: 'https://client.example',
  logo_uri: 'https://tracker.example/logo.png',
  redirect_uris: [REDIRECT, 'https://client.example/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
  ...more,
})
const serve = (body: unknown) =>
  web.answer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=3600' })
      .end(JSON.stringify(body)),
  )
const authorize = (clientId: string, more: Fields = {}, withCookie: string | undefined = cookie) =>
  openTab(app, withCookie).get(`/oauth/authorize?${encoded(request(clientId, makeVerifier(), more))}`)
// Each its own, since they are kept.
let counter = 0
const freshId = (host = 'client.example'): string => `https://${host}/oauth/client-${counter++}.json`

test('the consent page shows its host, and its grant keeps working when its server is down', async () => {
  serve(document())
  const page = await authorize(ID)
  expect(page.status).toBe(200)
  expect(page.text).toContain('<strong>client.example</strong>')
  expect(page.text).not.toContain('tracker.example')
  expect(page.text).not.toContain('Any program on this computer')
  const consented = await consent(app, person, { clientId: ID })
  web.answer((_, response) => response.destroy())
  const { body } = await redeem(app, consented)
  expect((await app.send('GET', '/v1/me', body.access_token)).status).toBe(200)
  expect((await refreshed(app, ID, body.refresh_token)).status).toBe(200)
  expect([web.asked, sockets.to.filter((to) => to === web.at).length]).toEqual([
    ['client.example/oauth/client.json'],
    1,
  ])
})

test('may use any port of a loopback redirect, with a warning if it has no other', async () => {
  const id = freshId()
  serve(document({ redirect_uris: ['http://127.0.0.1/callback'] }, id))
  const page = await authorize(id, { redirect_uri: 'http://127.0.0.1:50123/callback' })
  expect(page.status).toBe(200)
  expect(page.text).toContain('127.0.0.1:50123')
  expect(page.text).toContain('Any program on this computer')
  expect(hiddenOf(page.text).client_id).toBe(id)
  const elsewhere = await authorize(id, { redirect_uri: 'https://evil.example/' })
  expect([elsewhere.status, elsewhere.headers.location]).toEqual([400, undefined])
})

test.each<[string, object | string]>([
  ['another id', { client_id: 'https://client.example/other.json' }],
  ['the id in capitals', { client_id: 'https://CLIENT.example/oauth/client.json' }],
  ['no name', { client_name: undefined }],
  ['no address', { redirect_uris: undefined }],
  ['a bad address among good ones', { redirect_uris: [REDIRECT, 'javascript:alert(1)'] }],
  ['a secret', { client_secret: 'x' }],
  ['a shared secret to authenticate with', { token_endpoint_auth_method: 'client_secret_basic' }],
  [
    'a key to authenticate with, which is not checked here',
    { token_endpoint_auth_method: 'private_key_jwt' },
  ],
  ['a list', '[]'],
  ['nothing', 'null'],
])('with %s it is rejected without a redirect', async (_, more) => {
  // A host of its own: one is asked ten times a minute.
  const id = freshId('wrong.example')
  serve(typeof more === 'string' ? JSON.parse(more) : document(more, id))
  const page = await authorize(id)
  expect([page.status, page.headers.location]).toEqual([400, undefined])
  expect(page.text).toContain('The client metadata document of wrong.example cannot be used.')
  expect(page.text).not.toContain('asked too often')
})

test.each([
  'http://client.example/oauth/client.json',
  'https://client.example/',
  'https://client.example',
  'https://client.example:8443/client.json',
  'https://client.example:443/client.json',
  'https://user@client.example/client.json',
  'https://client.example/client.json#x',
  'https://client.example/a/../client.json',
  'https://client.example/./client.json',
  'https://CLIENT.example/client.json',
  'https://client.example./client.json',
  'https://127.0.0.1/client.json',
  'https://127.1/client.json',
  'https://[::1]/client.json',
  'https://client.example\\@inside.example/client.json',
  `https://client.example/${'x'.repeat(500)}`,
])('%s is not a client: nothing is fetched', async (id) => {
  const page = await authorize(id)
  expect([page.status, page.headers.location]).toEqual([400, undefined])
  expect([web.asked, sockets.to.filter((to) => to === web.at)]).toEqual([[], []])
})

test('internal hosts are not connected to, and nothing about the network is revealed', async () => {
  const inside = await authorize('https://inside.example/client.json')
  expect(inside.text).toContain(
    'inside.example is not on the public internet, so Kenning does not connect to it.',
  )
  expect(inside.text).not.toContain('10.0.0.1')
  const nobody = await authorize('https://nobody.example/client.json')
  expect(nobody.text).toContain('nobody.example cannot be reached.')
  expect(nobody.text).not.toContain('ENOTFOUND')
  expect(sockets.to.filter((to) => to === web.at || to.startsWith('10.'))).toEqual([])
})

test('is not fetched for a user who is not signed in', async () => {
  serve(document())
  const page = await authorize(freshId(), {}, '')
  expect(page.status).toBe(303)
  expect(web.asked).toEqual([])
})
