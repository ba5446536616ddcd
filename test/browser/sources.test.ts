// Sources and webhooks in a browser: an owner adds one, sees it run and fail, pauses it, and removes it.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { REACHABLE, type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: SharedService
let drive: string
let window: Window
beforeAll(async () => {
  service = await sharedService()
  drive = join(service.drive, 'handbook')
  mkdirSync(drive)
  for (const name of ['anchors', 'buoys', 'cranes'])
    writeFileSync(join(drive, `${name}.md`), `# ${name}\n\nWhat the harbour knows of ${name}.\n`)
  writeFileSync(join(drive, 'broken.pdf'), '%PDF-1.7\nnothing\n')
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  rmSync(drive, { recursive: true, force: true })
  service?.leave()
})

test('a folder is added, read, shown with what failed, paused and removed with its documents', async () => {
  const { page, errors } = window
  await page.goto('/')
  await signIn(page, service.account)
  await page.getByLabel('Name').fill('Harbour')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
  await page.getByRole('button', { name: 'Sources' }).click()
  const panel = page.getByRole('region', { name: 'Sources' })
  await panel.getByRole('button', { name: 'Add a source' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add source' })
  await dialog.getByLabel('Addresses').fill('ftp://example.org/')
  await add.click()
  await dialog.getByText('It must be a web address').waitFor()
  await dialog.getByLabel('Kind of source').selectOption('folder')
  await dialog.getByLabel('Where').fill(drive)
  await expectAccessible(page)
  await shoot('form')
  await add.click()
  await dialog.waitFor({ state: 'hidden' })
  await panel.getByText('Up to date').waitFor()
  await page.getByRole('link', { name: 'cranes' }).first().waitFor()
  await panel.getByRole('button', { name: '1 file could not be read' }).click()
  await panel.getByText('broken.pdf').waitFor()
  // A name that leads nowhere fails at once, without a network.
  await panel.getByRole('button', { name: 'Add a source' }).click()
  await dialog.getByLabel('Addresses').fill('http://127.0.0.1:9/handbook')
  await dialog.getByText('Sign-in (optional)').click()
  await dialog.getByLabel('Password or token').fill('of-the-handbook')
  await add.click()
  await panel.getByText('not on the public internet').waitFor()
  await expectAccessible(page)
  await shoot('panel')
  await panel.getByRole('button', { name: 'Pause handbook', exact: true }).click()
  await panel.getByText('Paused').waitFor()
  await panel.getByRole('button', { name: 'Remove handbook', exact: true }).click()
  await dialog.getByLabel('Delete its 3 documents').check()
  await shoot('remove')
  await dialog.getByRole('button', { name: 'Remove source and documents' }).click()
  await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
  expect(errors.filter((text) => !text.includes('422'))).toEqual([])
})

test('a webhook is added with a secret shown once, tried, paused and deleted', async () => {
  const { page, errors } = window
  const heard: string[] = []
  const program = createServer((request, response) => {
    heard.push(String(request.headers['webhook-signature']))
    request.resume()
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => program.listen(0, REACHABLE, resolve))
  try {
    const url = `http://${REACHABLE}:${(program.address() as AddressInfo).port}/hook`
    const closed = 'http://127.0.0.1:9/hook'
    await page.getByRole('link', { name: 'Settings' }).click()
    const form = page.getByRole('form', { name: 'Add a webhook' })
    await form.getByLabel('Address').fill(closed)
    await form.getByRole('button', { name: 'Add webhook' }).click()
    const made = page.getByRole('region', { name: 'New webhook' })
    expect(await made.locator('code').textContent()).toMatch(/^whsec_/)
    await expectAccessible(page)
    await shoot('webhook-made')
    await made.getByRole('button', { name: /^Done/ }).click()
    expect(await page.getByText('whsec_').count()).toBe(0)
    await page.getByRole('button', { name: `Send a test event to ${closed}` }).click()
    await page.getByText(/attempts? failed, again .* not on the public internet/).waitFor()
    await form.getByLabel('Address').fill(url)
    await form.getByRole('button', { name: 'Add webhook' }).click()
    await made.getByRole('button', { name: /^Done/ }).click()
    await page.getByRole('button', { name: `Send a test event to ${url}` }).click()
    await page.getByText('delivered (answer 204)').waitFor()
    expect(heard).toEqual([expect.stringMatching(/^v1,/)])
    await page.getByRole('button', { name: `Pause ${url}` }).click()
    await page.getByRole('button', { name: `Resume ${url}` }).waitFor()
    await expectAccessible(page)
    await shoot('webhooks')
    await page.getByRole('button', { name: `Delete ${closed}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText(closed, { exact: true }).waitFor({ state: 'detached' })
    expect(await page.getByText(url, { exact: true }).count()).toBe(1)
    expect(errors.filter((text) => !text.includes('422'))).toEqual([])
  } finally {
    await new Promise((resolve) => program.close(resolve))
  }
})

async function shoot(name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (!folder) return
  const { page } = window
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 844 })
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` })
    }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize({ width: 1280, height: 800 })
}
