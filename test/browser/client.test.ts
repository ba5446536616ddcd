// What programmers use in a browser: the API reference, and `kenning/client` bundled into a page of another origin, as a web
// application has it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Seen, TOUR } from '../support/client-tour.ts'
import { FULL } from '../support/full.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow } from './browser.ts'

const OF_EACH_ONE = `for (const article of document.querySelectorAll('article:not(#search):not(#schema-SearchRequest)')) article.remove()`

let folder: string
let pages: Server
let service: SharedService
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-page-'))
  writeFileSync(join(folder, 'tour.ts'), TOUR)
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Tour</title><script type="module" src="/page.ts"></script>',
  )
  writeFileSync(
    join(folder, 'page.ts'),
    "import { tour } from './tour.ts'\nObject.assign(window, { tour })\n",
  )
  const alias = { 'kenning/client': resolve('dist/src/client/client.js') }
  const made = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    build: { write: false },
  })
  const [bundle] = 'output' in made ? [made] : Array.isArray(made) ? made : []
  const files = new Map(
    bundle?.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  )
  pages = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '')
    const type = path.endsWith('.html') ? 'text/html' : 'text/javascript'
    const file = files.get(path)
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': type }).end(file)
  })
  service = await sharedService()
  const { hostname, port } = new URL(service.elsewhere)
  await new Promise<void>((done) => pages.listen(Number(port), hostname, done))
})
afterAll(async () => {
  await closeWindows()
  pages?.close()
  service?.leave()
  rmSync(folder, { recursive: true, force: true })
})

test('the API reference can be read by everybody, and needs no script', async () => {
  const { context, page, errors } = await openWindow(service.origin)
  await page.goto('/docs#search')
  await page.getByRole('heading', { name: 'POST /workspaces/{workspace_id}/search', exact: true }).waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1280, height: 800 })
  // One function writes all operations, and one all objects: the gate looks at one of each.
  if (!FULL) await page.evaluate(OF_EACH_ONE)
  await expectAccessible(page)
  expect(errors).toEqual([])
  await context.close()
})

test('the client uploads with progress, follows the job, searches, asks and lists, across origins', async () => {
  const { page, errors } = await openWindow(service.elsewhere)
  await page.goto('/')
  await page.waitForFunction('window.tour')
  const given = JSON.stringify([service.base, await service.token()])
  const seen = (await page.evaluate(`tour(...${given})`)) as Seen
  expect(seen).toMatchObject({
    me: 'session',
    filed: ['Keys/gate.md', 'Keys/harbour.md'],
    titles: ['gate', 'harbour'],
    found: expect.stringContaining('harbour'),
    answer: expect.stringContaining('third stone'),
    error: { status: 404, type: 'not_found' },
  })
  expect(seen.shares.length).toBeGreaterThan(0)
  expect(seen.shares.at(-1)).toBe(1)
  expect(seen.steps).toBeGreaterThan(0)
  // The browser's own word on the 404 that was asked for.
  expect(errors.filter((error) => !error.includes('404'))).toEqual([])
})
