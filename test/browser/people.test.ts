// People in a browser: the first run by the setup link, and who is let in afterwards.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { quickService } from '../support/quick-service.ts'
import { freePort, type Service } from '../support/service.ts'
import { accessibilityProblems, openBrowser, openWindow, type Window } from './browser.ts'

let service: Service
let browser: Browser
let window: Window
beforeAll(async () => {
  // Without an account: the first start prints the setup link.
  service = await quickService({
    env: { KENNING_PICTURE_TEXT: 'off', KENNING_ADMIN_EMAIL: '', KENNING_ADMIN_PASSWORD: '' },
  })
  browser = await openBrowser()
  window = await openWindow(browser, service.origin)
})
afterAll(async () => {
  await browser?.close()
  await service?.remove()
})

const FIRST = { email: 'keeper@example.org', password: 'a quiet harbour at dawn' }

async function isAccessible(page = window.page): Promise<void> {
  const found = [
    ...(await accessibilityProblems(page, 'light')),
    ...(await accessibilityProblems(page, 'dark')),
  ]
  expect(found).toEqual([])
}

/** The id of the workspace in the address. */
const workspaceId = (): string => /\/w\/([^/?]+)/.exec(window.page.url())?.[1] ?? ''

/** Calls a route with the browser's session. */
async function called<T>(method: string, path: string): Promise<T> {
  const { origin } = service
  const cookie = (await window.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const token = await fetch(`${origin}/session/token`, { method: 'POST', headers: { origin, cookie } })
  const { access_token } = (await token.json()) as { access_token: string }
  const answer = await fetch(origin + path, { method, headers: { authorization: `Bearer ${access_token}` } })
  return (await answer.json()) as T
}

test('the setup link leads to an account, a workspace, the example library and an answer', async () => {
  const { page } = window
  const link = /http:\S+\/setup\?token=[\w-]+/.exec(service.output())?.[0] ?? ''
  await page.goto('/')
  await page.getByRole('heading', { name: 'Kenning is not set up yet' }).waitFor()
  await isAccessible()
  await page.goto(link)
  await page.getByLabel('Email address').fill(FIRST.email)
  await page.getByLabel('Password, at least 12 characters').fill(FIRST.password)
  await page.getByLabel('Repeat the password').fill(FIRST.password)
  await isAccessible()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Welcome to Kenning' }).waitFor()
  await isAccessible()
  await page.getByLabel('Name').fill('Tidewick')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await isAccessible()
  await page.getByRole('button', { name: 'Try it with an example library' }).click()
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText('15 files searchable', { exact: true })
    .waitFor()
  await page
    .getByRole('navigation', { name: 'Places of the workspace' })
    .getByRole('link', { name: 'Ask' })
    .click()
  await page.getByLabel('Your question').fill('What is the accuracy of the TG-40/10?')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .waitFor()
  await page.getByText('± 4 mm').first().waitFor()
})

test('adding the example library again changes nothing', async () => {
  const id = workspaceId()
  const about = () => called<{ document_count: number }>('GET', `/v1/workspaces/${id}`)
  const before = await about()
  expect(before.document_count).toBe(15)
  const job = await called<{ id: string }>('POST', `/v1/workspaces/${id}/examples`)
  await expect
    .poll(async () => (await called<{ status: string }>('GET', `/v1/jobs/${job.id}`)).status, {
      timeout: 60_000,
    })
    .toBe('done')
  expect(await about()).toMatchObject({ document_count: 15 })
})

test('the demo ends with a link that opens its library, signed in, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-demo-'))
  mkdirSync(join(folder, 'Notes'))
  writeFileSync(join(folder, 'Notes', 'harbour.md'), '# Harbour rules\n\nThe harbour master is Anna Berg.\n')
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    KENNING_DATA_DIR: join(folder, 'data'),
    KENNING_PORT: String(await freePort()),
  }
  const demo = spawn(process.execPath, ['dist/scripts/demo.js', '--files', join(folder, 'Notes')], { env })
  let said = ''
  demo.stdout.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  const ended = once(demo, 'close')
  try {
    await expect.poll(() => said, { timeout: 180_000 }).toMatch(/\/sign-in\/link\?token=[\w-]{43}\s/)
    const link = /http:\S+\/sign-in\/link\S+/.exec(said)?.[0] ?? ''
    const { context, page, errors } = await openWindow(browser, new URL(link).origin)
    await page.goto(link)
    await isAccessible(page)
    await page.getByRole('button', { name: 'Open Kenning' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor()
    await page.getByRole('link', { name: 'Documents' }).click()
    await page.getByRole('link', { name: 'Harbour rules' }).waitFor()
    expect(errors).toEqual([])
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await context.close()
  } finally {
    demo.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors.filter((error) => !error.includes('/favicon'))).toEqual([])
})
