// Passkeys in a browser with a virtual authenticator, at a service under a path: adding one as the only second factor, signing in with
// it on the page, proving a change with it, removing it.

import { createServer, request, type Server } from 'node:http'
import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeNow } from '../support/loopback.ts'
import { quickService } from '../support/quick-service.ts'
import { freePort, type Service } from '../support/service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

const ADMIN = { email: 'keeper@example.org', password: 'a quiet harbour at dawn' }
const CHANGED = 'a windy harbour at dusk'

let service: Service
let front: Server
let site: string
let window: Window
let session: CDPSession
let authenticatorId: string

/** The passkeys of the authenticator. */
const credentialsOf = async () =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
type Credentials = Awaited<ReturnType<typeof credentialsOf>>

/** An authenticator with these passkeys, whose owner is at it. */
async function plugIn(credentials: Credentials): Promise<string> {
  await session.send('WebAuthn.disable')
  await session.send('WebAuthn.enable')
  const added = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  for (const credential of credentials)
    await session.send('WebAuthn.addCredential', { authenticatorId: added.authenticatorId, credential })
  return added.authenticatorId
}

/** The check opens and ends a session of Chromium's protocol, with which the virtual authenticator ends as well. */
async function expectAccessibleWithKey(): Promise<void> {
  const credentials = await credentialsOf()
  await expectAccessible(window.page)
  authenticatorId = await plugIn(credentials)
}

beforeAll(async () => {
  const port = await freePort()
  // A host name, since browsers have no passkeys at an IP address.
  site = `http://localhost:${port}/kenning`
  service = await quickService({
    env: {
      KENNING_BASE_URL: `${site}/v1`,
      KENNING_ADMIN_EMAIL: ADMIN.email,
      KENNING_ADMIN_PASSWORD: ADMIN.password,
    },
  })
  const to = new URL(service.origin)
  front = createServer((incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming
    const sent = request({ host: to.hostname, port: to.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    sent.on('error', () => response.destroy())
    incoming.pipe(sent)
  })
  await new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve))
  window = await openWindow(site)
  session = await window.context.newCDPSession(window.page)
  authenticatorId = await plugIn([])
})
afterAll(async () => {
  await closeWindows()
  if (front) await closeNow(front)
  await service?.remove()
})

test('a passkey is added, asked for at the next sign-in, proves a change, and is removed', async () => {
  const { page } = window
  await page.goto(`${site}/sign-in?next=/settings`)
  await signIn(page, ADMIN)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('Phone')
  await dialog.getByLabel('Password').fill(ADMIN.password)
  await expectAccessibleWithKey()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const codes = page.getByRole('region', { name: 'New recovery codes' })
  expect(((await codes.locator('pre').textContent()) ?? '').split('\n')).toHaveLength(10)
  await page.getByText('Passkey, added').waitFor()
  await expectAccessibleWithKey()

  await page.goto('about:blank')
  await window.context.clearCookies()
  await page.goto(`${site}/sign-in?next=/settings`)
  await signIn(page, ADMIN)
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  await expectAccessibleWithKey()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL(`${site}/settings`)
  await page.getByText('Passkey, last used').waitFor()

  await page.getByLabel('Current password').fill(ADMIN.password)
  await page.getByLabel('New password', { exact: true }).fill(CHANGED)
  await page.getByLabel('Repeat the new password').fill(CHANGED)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await page.getByText('The passkey has answered.').waitFor()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password has been changed.').first().waitFor()

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name').fill('Phone again')
  await dialog.getByLabel('Password').fill(CHANGED)
  await dialog.getByRole('button', { name: 'Use a passkey instead' }).click()
  await dialog.getByText('The passkey has answered.').waitFor()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('This passkey belongs to your account already.').waitFor()
  expect(await dialog.getByLabel('Password').count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Remove Phone' }).click()
  const question = page.getByRole('dialog', { name: 'Remove the passkey “Phone”?' })
  await question.getByLabel('Password').fill(CHANGED)
  await question.getByRole('button', { name: 'Use a passkey instead' }).click()
  await question.getByText('The passkey has answered.').waitFor()
  await question.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('With an authenticator app or a passkey').waitFor()
  // The token of the session that got a new secret has ended (401).
  expect(window.errors.filter((error) => !/status of 401/.test(error))).toEqual([])
})
