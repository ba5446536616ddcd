// The language: on the sign-in page that of the browser, in the console the one that a person chose, in every browser.

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
