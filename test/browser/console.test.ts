// The console in a browser, as somebody meets it for the first time: sign in, a workspace, files, search, an answer with
// its source, the document, the graph, settings.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: SharedService
let window: Window
beforeAll(async () => {
  service = await sharedService()
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

const place = (name: string) =>
  window.page
    .getByRole('navigation', { name: 'Places of the workspace' })
    .getByRole('link', { name, exact: true })
const isAccessible = (): Promise<void> => expectAccessible(window.page)

test('somebody who is not signed in is asked to, and comes back', async () => {
  const { page } = window
  await page.goto('/')
  await page.waitForURL(/\/sign-in\?next=/)
  await isAccessible()
  await signIn(page, service.account)
  await page.getByRole('heading', { name: 'Welcome to Kenning' }).waitFor()
  await isAccessible()
})

test('a first workspace takes files, shows how far they are, and lists them', async () => {
  const { page } = window
  await page.getByLabel('Name').fill('Tidewick')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
  await isAccessible()
  const names = [
    'annual-report-2025.pdf',
    'staff-handbook.md',
    'suppliers.csv',
    'board-minutes-2026-03-12.docx',
  ]
  await page.getByLabel('Files to upload').setInputFiles(names.map((name) => `examples/${name}`))
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText('4 files searchable', { exact: true })
    .waitFor()
  await isAccessible()
  await page.getByRole('table').getByRole('link').nth(3).waitFor()
  await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Dismiss' }).click()
})

test('search finds as somebody types, marks the words, and has its query in the address', async () => {
  const { page } = window
  await place('Search').click()
  await page.getByRole('searchbox', { name: 'Search passages' }).pressSequentially('board decision battery')
  await page.waitForURL(/q=board/)
  await page.locator('mark').first().waitFor()
  await expect.poll(() => page.title()).toBe('Search · Tidewick · Kenning')
  // The headings above a passage say where it stands.
  await page.getByRole('article').getByText(/^› /).first().waitFor()
  await isAccessible()
  await page.getByRole('article').first().getByRole('link').click()
  await page.waitForURL(/\/d\/[^?]+\?.*chunk=/)
  const title = (await page.getByRole('main').getByRole('heading', { level: 2 }).first().textContent()) ?? ''
  await expect.poll(() => page.title()).toBe(`${title} · Kenning`)
  await page.locator('section[aria-current="true"] mark').first().waitFor()
  await isAccessible()
})

test('a question is answered; its mark opens the passage with what was cited marked', async () => {
  const { page } = window
  await place('Ask').click()
  await isAccessible()
  await page.getByLabel('Your question').fill('Who decides on changes to products?')
  await page.keyboard.press('Enter')
  const mark = page.getByRole('button', { name: /^Source 1/ }).first()
  await mark.waitFor()
  await page.waitForURL(/thread=/)
  await mark.click()
  const source = page.getByRole('complementary', { name: 'Source' })
  await source.locator('mark').first().waitFor()
  await isAccessible()
  // Back from the document, the source is open again.
  await source.getByRole('link', { name: 'Open in the document' }).click()
  await page.waitForURL(/\/d\//)
  await page.goBack()
  await source.locator('mark').first().waitFor()
  await page.keyboard.press('Escape')
  await source.waitFor({ state: 'detached' })
  // Sent to a colleague, or opened tomorrow: the conversation is there.
  await page.reload()
  await page.getByRole('heading', { name: 'Who decides on changes to products?' }).waitFor()
})

test('the graph lists what the documents are about, with the passages', async () => {
  const { page } = window
  await place('Graph').click()
  await page
    .getByRole('listitem')
    .getByRole('link', { name: /mention/ })
    .first()
    .waitFor()
  await isAccessible()
  await page
    .getByRole('listitem')
    .getByRole('link', { name: /mention/ })
    .first()
    .click()
  await page.locator('mark').first().waitFor()
  await isAccessible()
})

test('without a connection a page says so, and goes on by itself once there is one', async () => {
  const { page, context } = window
  const known = window.errors.length
  await place('Search').click()
  const field = page.getByRole('searchbox', { name: 'Search passages' })
  await field.waitFor()
  await context.setOffline(true)
  await field.fill('decision')
  await page.getByRole('heading', { name: 'The service cannot be reached' }).waitFor()
  await isAccessible()
  await context.setOffline(false)
  await page.getByRole('article').first().waitFor()
  // A page that was never opened comes when it can.
  await context.setOffline(true)
  await place('Activity').click()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('cell', { name: service.account.email }).first().waitFor()
  // The browser itself reports requests that found no network.
  expect(window.errors.splice(known).filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text))).toEqual([])
})

test('what a page shows first is asked for once, before its scripts are there', async () => {
  const { page } = window
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Tidewick' }).waitFor()
  const about = asked.filter((path) => /^\/v1\/workspaces\/[^/]+$/.test(path))
  expect(about).toHaveLength(1)
  expect(asked.filter((path) => path === '/session/token')).toHaveLength(1)
  page.removeAllListeners('request')
})

test('settings rename the workspace; activity tells who did what', async () => {
  const { page } = window
  await place('Activity').click()
  await page.getByRole('cell', { name: service.account.email }).first().waitFor()
  await isAccessible()
  await place('Settings').click()
  await page.getByLabel('Name', { exact: true }).fill('Tidewick Instruments')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tidewick Instruments' }).waitFor()
  await isAccessible()
})

test('the workspace is exported as one file', async () => {
  const { page } = window
  // A test cannot answer the browser's own question where to.
  await page.evaluate('globalThis.showSaveFilePicker = undefined')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export this workspace' }).click(),
  ])
  expect(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
})

test('documents are moved to the trash', async () => {
  const { page } = window
  await place('Documents').click()
  await page.getByRole('checkbox', { name: 'Select Staff handbook' }).check()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('table').getByRole('link', { name: 'Staff handbook' }).waitFor({ state: 'detached' })
  expect(await page.getByRole('table').getByRole('link').count()).toBe(3)
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors).toEqual([])
})
