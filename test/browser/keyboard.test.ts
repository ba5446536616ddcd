// The console by keyboard alone: from signing in to the settings, and everything that can be reached has a name.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, namelessNodes, openWindow, type Window } from './browser.ts'
import { askedProgram } from './program.ts'

let service: SharedService
let window: Window
beforeAll(async () => {
  service = await sharedService()
  const api = createClient({ baseUrl: service.base, token: () => service.token() })
  const { id: workspace_id } = await api.createWorkspace({ name: 'Tidewick' })
  const files = ['annual-report-2025.pdf', 'staff-handbook.md'].map((name) => ({
    name,
    content: new Blob([new Uint8Array(readFileSync(`examples/${name}`))]),
  }))
  const job = await api.upload({ workspace_id, files })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

const MAX_STEPS = 120
/** What has the focus, as a screen reader would name it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const at = document.activeElement
    if (!at || at === document.body) return ''
    const label = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent
    return at.tagName.toLowerCase() + ' ' + (label ?? '').trim().replace(/\\s+/g, ' ')
  })()`)

/** Presses Tab until something of that name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (name.test(await focused(page))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}`)
}

const everythingIsNamed = async (page: Page): Promise<void> => expect(await namelessNodes(page)).toEqual([])

test('signing in, a document found, a question answered, its source opened, the settings: without a mouse', async () => {
  const { page } = window
  const { keyboard } = page
  await page.goto('/')
  await page.getByLabel('Email address').waitFor()
  await everythingIsNamed(page)
  await tabTo(page, /^input Email address/)
  await keyboard.type(service.account.email)
  await tabTo(page, /^input Password/)
  await keyboard.type(service.account.password)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ask the documents' }).waitFor()
  await everythingIsNamed(page)

  await tabTo(page, /^a Documents$/)
  await keyboard.press('Enter')
  await page.getByRole('table').getByRole('link').nth(1).waitFor()
  await everythingIsNamed(page)
  await tabTo(page, /^input Select Staff handbook/)
  await keyboard.press('Space')
  await page.getByText('1 document selected').waitFor()
  await tabTo(page, /^button Clear/)
  await keyboard.press('Enter')
  await page.getByText('1 document selected').waitFor({ state: 'detached' })
  expect(await focused(page)).toMatch(/^input Select Staff handbook/)

  await tabTo(page, /^a Search$/)
  await keyboard.press('Enter')
  await page.getByRole('searchbox', { name: 'Search passages' }).waitFor()
  await tabTo(page, /^input Search passages/)
  await keyboard.type('board decision')
  await page.getByRole('article').first().waitFor()
  await everythingIsNamed(page)
  const found = (await page.getByRole('article').first().getByRole('link').first().textContent()) ?? ''
  await tabTo(page, new RegExp(`^a ${found}`))
  await keyboard.press('Enter')
  await page.locator('section[aria-current="true"]').waitFor()
  await everythingIsNamed(page)
  await tabTo(page, /^button Outline/)
  await keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Outline' }).waitFor()
  await keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Outline' }).waitFor({ state: 'detached' })
  // What a panel was opened from has the focus again.
  expect(await focused(page)).toMatch(/^button Outline/)

  await tabTo(page, /^a Ask$/)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ask the documents' }).waitFor()
  await tabTo(page, /^textarea Your question/)
  await keyboard.type('Who decides on changes to products?')
  await keyboard.press('Enter')
  await page
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .waitFor()
  await page.waitForURL(/thread=/)
  await tabTo(page, /^button Source 1/)
  await keyboard.press('Enter')
  await page.getByRole('complementary', { name: 'Source' }).locator('mark').first().waitFor()
  await everythingIsNamed(page)
  await keyboard.press('Escape')
  await page.getByRole('complementary', { name: 'Source' }).waitFor({ state: 'detached' })
  expect(await focused(page)).toMatch(/^button Source 1/)

  await tabTo(page, /^a Settings$/)
  await keyboard.press('Enter')
  await page.getByLabel('Name', { exact: true }).waitFor()
  await everythingIsNamed(page)
})

test('the graph: a theme opened and left, the canvas moved, a row of the table: without a mouse', async () => {
  const { page } = window
  const { keyboard } = page
  const panel = page.getByRole('complementary', { name: 'Entity' })
  await tabTo(page, /^a Graph$/)
  await keyboard.press('Enter')
  await page
    .getByRole('list')
    .getByRole('link', { name: /mention/ })
    .first()
    .waitFor()
  await everythingIsNamed(page)
  await tabTo(page, /^a .+\bmentions?\b/)
  await keyboard.press('Enter')
  await panel.locator('mark').first().waitFor()
  await everythingIsNamed(page)
  await keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await tabTo(page, /^a Canvas$/)
  await keyboard.press('Enter')
  await page.locator('[data-arranged="true"]').waitFor()
  await everythingIsNamed(page)
  await tabTo(page, /^div \d+ entities/)
  for (const key of ['+', 'ArrowLeft', 'ArrowUp', '-', '0']) await keyboard.press(key)
  await tabTo(page, /^a Table$/)
  await keyboard.press('Enter')
  await page.getByRole('table', { name: 'Entities' }).waitFor()
  await everythingIsNamed(page)
  await tabTo(page, /^a Tidewick Instruments/)
  await keyboard.press('Enter')
  await panel.locator('mark').first().waitFor()
  await keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('a key made, a program let in and disconnected: without a mouse', async () => {
  const { page } = window
  const { keyboard } = page
  await tabTo(page, /^a Keys$/)
  await keyboard.press('Enter')
  await page.getByText('You have no keys.').waitFor()
  await tabTo(page, /^button New key/)
  await keyboard.press('Enter')
  await tabTo(page, /^input Name/)
  await keyboard.type('Reporting script')
  await keyboard.press('Enter')
  await page.getByRole('region', { name: 'New key' }).locator('code').first().waitFor()
  await everythingIsNamed(page)

  const program = await askedProgram(service.origin, 'Harbour assistant')
  try {
    await page.goto(program.address)
    await page.getByRole('heading', { name: 'Harbour assistant' }).waitFor()
    await everythingIsNamed(page)
    await tabTo(page, /^button Allow/)
    await keyboard.press('Enter')
    const token = await program.token()
    // The program may have its code before the browser is done with the redirect, which would interrupt the next page.
    await page.waitForURL(/\/callback\?/)
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${service.base}/me`, { headers })).status).toBe(200)
    await page.goto('/connections')
    await page.getByText('Harbour assistant').first().waitFor()
    await everythingIsNamed(page)
    await tabTo(page, /^button Disconnect Harbour assistant/)
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await everythingIsNamed(page)
    await tabTo(page, /^button Disconnect$/)
    await keyboard.press('Enter')
    await page.getByText('No application is connected.').waitFor()
    expect((await fetch(`${service.base}/me`, { headers })).status).toBe(401)
  } finally {
    await program.end()
  }
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors).toEqual([])
})
