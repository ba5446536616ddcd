// The language: on the sign-in page that of the browser, in the console the one that a person chose, in every browser.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { signIn as tokenOf } from '../support/service.ts'
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

const inLanguage = ({ page }: Window, language: string): Promise<void> =>
  page.locator(`html[lang="${language}"]`).waitFor()

test('the sign-in page is in the language of the browser', async () => {
  const { context } = window
  const germanContext = await context.browser()?.newContext({ baseURL: service.origin, locale: 'de-AT' })
  const page = await germanContext?.newPage()
  if (!page) throw new Error('the window has no browser')
  await page.goto('/')
  await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await expectAccessible(page)
})

test('a language chosen for the account is that of each browser, and the palette changes it', async () => {
  const { page } = window
  const person = await service.another()
  await page.goto('/settings')
  await signIn(page, person)
  await page.getByRole('button', { name: '日本語' }).click()
  await inLanguage(window, 'ja')
  await page.getByRole('button', { name: '日本語', pressed: true }).waitFor()
  await expectAccessible(page)

  const other = await openWindow(service.origin)
  await other.page.goto('/')
  await signIn(other.page, person)
  await inLanguage(other, 'ja')
  // The page hears keys once it is shown.
  await other.page.getByRole('main').getByRole('heading').first().waitFor()
  await other.page.keyboard.press('Control+k')
  await other.page.locator('dialog input:focus').waitFor()
  await other.page.keyboard.type('english')
  await other.page.getByRole('option', { name: /English/ }).waitFor()
  await other.page.keyboard.press('Enter')
  await inLanguage(other, 'en')

  await page.reload()
  await inLanguage(window, 'en')
  expect([...window.errors, ...other.errors]).toEqual([])
})

test('a change of the language waits for files that are being sent, and the browser asks before it leaves them', async () => {
  const { page, context, errors } = await openWindow(service.origin)
  const { id } = await makeClient(service.base, service.token).post<Workspace>('/workspaces', {
    name: 'Harbour',
  })
  await page.goto(`/w/${id}/documents`)
  await signIn(page, service.account)
  let send: () => void = () => undefined
  const isSent = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route(/\/files$/, async (route) => {
    await isSent
    await route.continue()
  })
  await page
    .getByLabel('Files to upload')
    .setInputFiles([
      { name: 'berths.md', mimeType: 'text/markdown', buffer: Buffer.from('# Berths\n\nTwelve.\n') },
    ])
  await page.getByRole('region', { name: 'Uploads' }).getByText('berths.md').waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type('deutsch')
  await page.getByRole('option', { name: /Deutsch/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Files are still being sent.').waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
  // Loading the page again now would lose them: the browser asks, and the reader stays.
  const question = page.waitForEvent('dialog')
  const click = page.getByRole('button', { name: 'Load now' }).click()
  const dialog = await question
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await click
  expect(await page.getByRole('region', { name: 'Uploads' }).getByText('berths.md').count()).toBe(1)
  send()
  await page
    .getByRole('region', { name: 'Uploads' })
    .getByText(/^Searchable|1 file searchable/)
    .first()
    .waitFor()
  await page.reload()
  await page.locator('html[lang="de"]').waitFor()
  expect(errors).toEqual([])
  await context.close()
})

test('why a file could not be read, and errors, are told in the language of the reader', async () => {
  const { page, context } = await openWindow(service.origin)
  const person = await service.another()
  await page.goto('/settings')
  await signIn(page, person)
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.locator('html[lang="de"]').waitFor()
  const client = makeClient(service.base, () => tokenOf(service.origin, person))
  const { id } = await client.post<Workspace>('/workspaces', { name: 'Harbour' })
  const job = await client.upload(id, [{ name: 'berths.pdf', bytes: '%PDF-1.4 no' }])
  await client.done(job.id)
  await page.goto(`/w/${id}/documents`)
  await page.getByRole('button', { name: /letzten 30 Tage/ }).click()
  await page.getByText('Die Datei ist beschädigt').first().waitFor()
  await page.route(/\/search$/, (route) =>
    route.fulfill({ status: 500, json: { error: { type: 'internal_error', message: 'It broke.' } } }),
  )
  await page.goto(`/w/${id}/search?q=berths`)
  await page.getByText('Im Dienst ist etwas schiefgegangen.').waitFor()
  await context.close()
})
