// The second factor in a browser: setting it up on the account page, signing in with a code and with a recovery code, turning it off.

import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quickService } from '../support/quick-service.ts'
import type { Service } from '../support/service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: Service
let window: Window
beforeAll(async () => {
  service = await quickService({
    env: { KENNING_ADMIN_EMAIL: ADMIN.email, KENNING_ADMIN_PASSWORD: ADMIN.password },
  })
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  await service?.remove()
})

const CHANGED = 'a windy harbour at dusk'
const ADMIN = { email: 'keeper@example.org', password: 'a quiet harbour at dawn' }

/** The code of the app now, or so many half minutes later: a code is accepted only once. */
const codeOf = (secret: string, later = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })

/** Signs out and enters the password. */
async function enterPassword(): Promise<void> {
  // The console would go to the page of sign-in by itself at its next request, and end the navigation below.
  await window.page.goto('about:blank')
  await window.context.clearCookies()
  await window.page.goto('/sign-in?next=/settings')
  await signIn(window.page, ADMIN)
  await window.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

async function enterCode(code: string): Promise<void> {
  await window.page.getByLabel('Code', { exact: true }).fill(code)
  await window.page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a second factor is set up, asked for, and turned off', async () => {
  const { page } = window
  await page.goto('/sign-in?next=/settings')
  await signIn(page, ADMIN)
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByLabel('Password').fill('not the password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Password').fill(ADMIN.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const secret = (await dialog.locator('code').textContent()) ?? ''
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  await expectAccessible(page)
  await dialog.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('region', { name: 'New recovery codes' })
  const recovery = ((await codes.locator('pre').textContent()) ?? '').split('\n')
  expect(recovery).toHaveLength(10)
  await page.getByText('10 recovery codes are left.').waitFor()
  await expectAccessible(page)

  await enterPassword()
  await expectAccessible(page)
  // The password alone has opened nothing.
  const answer = await page.request.post('/session/token', { headers: { origin: service.origin } })
  expect(answer.status()).toBe(401)
  await enterCode('000000')
  await page.getByRole('alert').waitFor()
  // The code of the half minute that comes, since this one's is used.
  await enterCode(codeOf(secret, 1))
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()

  await enterPassword()
  await enterCode(recovery[0] ?? '')
  await page.getByText('9 recovery codes are left.').waitFor()

  // Changing the password asks for a code as well.
  await page.getByLabel('Current password').fill(ADMIN.password)
  await page.getByLabel('New password', { exact: true }).fill(CHANGED)
  await page.getByLabel('Repeat the new password').fill(CHANGED)
  await page.getByLabel('Code', { exact: true }).fill(recovery[2] ?? '')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password has been changed.').first().waitFor()

  await page.getByRole('button', { name: 'Turn off' }).click()
  const question = page.getByRole('dialog', { name: 'Turn off the second factor?' })
  await question.getByLabel('Password').fill(CHANGED)
  await question.getByLabel('Code', { exact: true }).fill(recovery[1] ?? '')
  await question.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Set up an authenticator app' }).waitFor()
  // Refusals that the test asked for: a wrong password (403), a session (401), a wrong code (401).
  expect(window.errors.filter((error) => !/status of 40[13]/.test(error))).toEqual([])
})
