// Documents in a browser: reading one beside the pictures of its pages, its versions, and lists of many.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, type KenningClient } from '../../src/client/client.ts'
import { makePdf, prose } from '../support/files/pdf.ts'
import { thorough } from '../support/full.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: SharedService
let window: Window
let api: KenningClient
let workspace: string
const documents = new Map<string, string>()

const GUIDE = `# Operations guide

This guide is for the harbour station.

## Before the shift

- Check the pumps:
  - main pump
- Sign the sheet

## Start the logger

1. Connect the cable.
2. Run the command.

\`\`\`bash
kenning-logger --port 4 \\
  --interval 60
\`\`\`

| Day | Berth | Fee |
|-|-|-|
| 2026-03-01 | North 1 | 1,240.00 |
| 2026-03-02 | South 4 | 860.50 |
`

const example = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(`examples/${name}`))
/** Six pages, each with a line of its own. */
const pages = (edition: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    makePdf(
      Array.from({ length: 6 }, (_, i) =>
        prose(
          Array.from(
            { length: 30 },
            (_, line) => `Line ${line + 1} of page ${i + 1}, ${edition} edition of Halden.`,
          ),
        ),
      ),
    ),
  )

async function send(files: Record<string, Uint8Array<ArrayBuffer>>, on_conflict?: 'replace'): Promise<void> {
  const list = Object.entries(files).map(([name, content]) => ({ name, content: new Blob([content]) }))
  const job = await api.upload({ workspace_id: workspace, files: list, ...(on_conflict && { on_conflict }) })
  for await (const { data } of api.jobEvents({ job_id: job.id })) {
    for (const file of data.files) {
      expect(file.error).toBeUndefined()
      if (file.document_id) documents.set(file.filename, file.document_id)
    }
    if (data.state === 'complete') break
  }
}

beforeAll(async () => {
  service = await sharedService()
  api = createClient({ baseUrl: service.base, token: () => service.token() })
  workspace = (await api.createWorkspace({ name: 'Library' })).id
  await send({
    'six.pdf': pages('first'),
    'staff-handbook.md': example('staff-handbook.md'),
    'budget-2026.xlsx': example('budget-2026.xlsx'),
    'guide.md': new TextEncoder().encode(GUIDE),
  })
  window = await openWindow(service.origin)
  await window.page.goto('/')
  await signIn(window.page, service.account)
  await window.page.waitForURL(/\/w\//)
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

const address = (name: string, search = ''): string => `/w/${workspace}/d/${documents.get(name)}${search}`
const isAccessible = (): Promise<void> => expectAccessible(window.page)
/** The number of the page at the reading line of a column. */
const pageShown = (page: Page, column: 'Pages' | 'Text'): Promise<number> =>
  page.evaluate<number>(`(() => {
    const column = document.querySelector('section[aria-label="${column}"]')
    const line = column.getBoundingClientRect().top + 90
    const places = [...column.querySelectorAll('[data-page]')]
    return Number(places.find((place) => place.getBoundingClientRect().bottom > line)?.dataset.page)
  })()`)

test('a cited passage is marked in the text and on the picture of its page', async () => {
  const { page } = window
  const read = await api.readDocument({
    workspace_id: workspace,
    document_id: documents.get('six.pdf') ?? '',
  })
  const passage = read.chunks.find((chunk) => chunk.page === 4)
  const text = passage?.text ?? ''
  const start = text.indexOf('Line 7 of page 4')
  expect(start).toBeGreaterThanOrEqual(0)
  await page.goto(address('six.pdf', `?page=4&chunk=${passage?.id}&span=${start}-${start + 16}`))
  const marked = page.locator('section[aria-current="true"] mark')
  await marked.first().waitFor()
  expect(await marked.allTextContents()).toEqual(['Line 7 of page 4'])
  const picture = page.getByRole('img', { name: 'Page 4' })
  await picture.waitFor()
  // The box lies where the lines are: the page has 612 x 792 points, its text begins 72 points from the left.
  const mark = page.locator('[data-page="4"] [data-mark]').first()
  await mark.waitFor()
  // Both are measured at one moment: the page may still scroll.
  const place = await mark.evaluate(
    (box, image) => {
      const [inner, outer] = [box.getBoundingClientRect(), image?.getBoundingClientRect()]
      return outer && { x: (inner.x - outer.x) / outer.width, y: (inner.y - outer.y) / outer.height }
    },
    await picture.elementHandle(),
  )
  if (!place) throw new Error('nothing is shown')
  expect(place.x * 612).toBeCloseTo(70, -1)
  expect(place.y * 792).toBeLessThan(100)
  await isAccessible()
})

test('pages and text stay in step, whichever is scrolled', async () => {
  const { page } = window
  await page.goto(address('six.pdf'))
  await page.getByRole('img', { name: 'Page 1' }).waitFor()
  const scrollTo = async (column: 'Pages' | 'Text', number: number): Promise<void> => {
    await page.getByRole('region', { name: column }).hover()
    await page.mouse.wheel(0, 1)
    await page
      .getByRole('region', { name: column })
      .locator(`[data-page="${number}"]`)
      .first()
      .evaluate((place) => place.scrollIntoView({ block: 'start' }))
  }
  const follows = (column: 'Pages' | 'Text', number: number): Promise<void> =>
    expect.poll(() => pageShown(page, column)).toBe(number)
  await scrollTo('Text', 5)
  await follows('Pages', 5)
  await scrollTo('Pages', 2)
  await follows('Text', 2)
})

test('what is looked for in a document is stepped through, forth and back', async () => {
  const { page } = window
  await page.goto(address('six.pdf'))
  const field = page.getByRole('searchbox', { name: 'Find in this document' })
  const outline = page.getByRole('button', { name: 'Outline' })
  const place = await outline.boundingBox()
  await field.fill('Line 9 of page')
  await page.getByText('6', { exact: true }).waitFor()
  // The number of hits moves nothing.
  expect(await outline.boundingBox()).toEqual(place)
  await field.press('Enter')
  await page.getByText('1 of 6', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next hit' }).click()
  await field.press('Shift+Enter')
  await field.press('Shift+Enter')
  await page.getByText('6 of 6', { exact: true }).waitFor()
  expect(await page.locator('mark[aria-current]').textContent()).toBe('Line 9 of page')
  const isInView = `(() => {
    const { top, bottom } = document.querySelector('mark[aria-current]').getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })()`
  await expect.poll(() => page.evaluate<boolean>(isInView)).toBe(true)
  await field.fill('elephants')
  await page.getByText('Not found').waitFor()
})

test('the outline leads to a heading; names lead to the graph', async () => {
  const { page } = window
  await page.goto(address('staff-handbook.md'))
  await page.getByRole('button', { name: 'Outline' }).click()
  const outline = page.getByRole('complementary', { name: 'Outline' })
  const last = outline.getByRole('listitem').last()
  await last.waitFor()
  const heading = (await last.textContent()) ?? ''
  await last.getByRole('button').click()
  await page.getByRole('region', { name: 'Text' }).getByText(heading).last().waitFor()
  await isAccessible()
  await page.getByRole('button', { name: 'Names' }).click()
  const names = page.getByRole('complementary', { name: 'Names' })
  await names.getByRole('link').first().waitFor()
  await isAccessible()
  await names.getByRole('link').first().click()
  await page.waitForURL(/\/graph\//)
})

test('lists, code and tables of Markdown are shown as such, and what is looked for is marked in them', async () => {
  const { page } = window
  await page.goto(address('guide.md', '?find=pump'))
  const text = page.getByRole('region', { name: 'Text' })
  await text.getByRole('listitem').filter({ hasText: 'Connect the cable.' }).waitFor()
  expect(await text.locator('ul > li > ul > li').allTextContents()).toEqual(['main pump'])
  expect(await text.locator('ol > li').allTextContents()).toEqual(['Connect the cable.', 'Run the command.'])
  expect(await text.locator('pre').textContent()).toBe('kenning-logger --port 4 \\\n  --interval 60')
  expect(await text.locator('td.number').allTextContents()).toEqual(['1,240.00', '860.50'])
  expect(await text.locator('li mark').allTextContents()).toEqual(['pump', 'pump'])
  expect(await text.getByText('- Sign').count()).toBe(0)
  await isAccessible()
})

test('a panel stands beside the text, and on a phone it makes room for the heading that was chosen', async () => {
  const { page } = window
  await page.setViewportSize({ width: 1100, height: 800 })
  await page.goto(address('six.pdf', '?panel=outline'))
  const panel = page.getByRole('complementary', { name: 'Outline' })
  const text = page.getByRole('region', { name: 'Text' })
  await panel.waitFor()
  const [left, right] = [await text.boundingBox(), await panel.boundingBox()]
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0)
  expect(left?.width).toBeGreaterThan(400)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address('guide.md', '?panel=outline'))
  await panel.getByRole('button', { name: 'Start the logger' }).click()
  await panel.waitFor({ state: 'detached' })
  expect(await text.getByText('Connect the cable.').isVisible()).toBe(true)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('pictures of pages are dimmed in the dark, and their places are grey and of their size before they are there', async () => {
  const { page } = window
  await send({
    'plan.pdf': new Uint8Array(makePdf([prose(['The plan of the quay.'], 300)], { size: [900, 400] })),
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  let goOn = (): void => undefined
  const isAsked = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route('**/pages/1.png', async (route) => {
    await isAsked
    await route.continue()
  })
  await page.goto(address('plan.pdf', '?page=1'))
  const place = page.getByRole('status', { name: 'Page 1 is being drawn' })
  await place.waitFor()
  const size = async (of: Locator) => {
    const { width = 0, height = 0 } = (await of.boundingBox()) ?? {}
    return { width: Math.round(width), height: Math.round(height) }
  }
  await expect.poll(async () => (({ width, height }) => width / height)(await size(place))).toBeGreaterThan(2)
  const sizeBefore = await size(place)
  expect(
    await page.evaluate<string>(
      `getComputedStyle(document.querySelector('[aria-label="Page 1 is being drawn"]')).backgroundColor`,
    ),
  ).toBe('rgb(43, 47, 53)')
  goOn()
  const picture = page.getByRole('img', { name: 'Page 1' })
  await picture.waitFor()
  const sizeAfter = await size(picture)
  expect(sizeAfter.width).toBe(sizeBefore.width)
  expect(Math.abs(sizeAfter.height - sizeBefore.height)).toBeLessThanOrEqual(2)
  expect(
    await page.evaluate<string>(`getComputedStyle(document.querySelector('img[alt="Page 1"]')).filter`),
  ).toBe('brightness(0.8)')
  await page.unroute('**/pages/1.png')
  await page.emulateMedia({ colorScheme: null })
})

test('a replaced version is listed, opened and restored', async () => {
  const { page } = window
  await send({ 'six.pdf': pages('second') }, 'replace')
  await page.goto(address('six.pdf', '?panel=versions'))
  const versions = page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem')
  await versions.nth(1).waitFor()
  await page.getByText('second edition').first().waitFor()
  const [opened] = await Promise.all([
    window.context.waitForEvent('page'),
    versions.nth(1).getByRole('button', { name: /^Open/ }).click(),
  ])
  await opened.close()
  await isAccessible()
  await versions
    .nth(1)
    .getByRole('button', { name: /^What changed/ })
    .click()
  const changes = page.getByRole('dialog', { name: 'What changed since this version' })
  await changes.locator('del', { hasText: 'first' }).first().waitFor()
  await changes.locator('ins', { hasText: 'second' }).first().waitFor()
  await isAccessible()
  await page.keyboard.press('Escape')
  await versions.nth(1).getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('first edition').first().waitFor()
})

test('a new version is uploaded beside the document it replaces, under the name of that', async () => {
  const { page } = window
  await send({ 'rules/moorings.md': new Uint8Array(Buffer.from('# Moorings\n\nThe fee is due in May.\n')) })
  await page.goto(address('rules/moorings.md', '?panel=versions'))
  await page.getByText('due in May').waitFor()
  const input = page.getByLabel('The new version')
  await input.setInputFiles([
    { name: 'moorings.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
  ])
  await page.getByText('A new version has to be a .md file, too.').waitFor()
  await input.setInputFiles([
    {
      name: 'moorings final.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Moorings\n\nEverything here is different now: nothing costs a fee.\n'),
    },
  ])
  await page.getByText('nothing costs a fee').waitFor()
  const versions = page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem')
  await versions
    .nth(1)
    .getByText(/^Replaced/)
    .waitFor()
  await isAccessible()
  await uploads(page).getByRole('button', { name: 'Dismiss' }).click()
})

test('what is marked in the text stays where it is when a panel takes room from it', async () => {
  const { page } = window
  const read = await api.readDocument({
    workspace_id: workspace,
    document_id: documents.get('six.pdf') ?? '',
  })
  const passage = read.chunks.find((chunk) => chunk.page === 4)
  await page.goto(address('six.pdf', `?page=4&chunk=${passage?.id}`))
  const marked = page.locator('section[aria-current="true"]')
  await page.getByRole('img', { name: 'Page 4' }).waitFor()
  // Read some way down.
  await page.getByRole('region', { name: 'Text' }).evaluate((column) => column.scrollBy(0, -150))
  const top = async (): Promise<number> => (await marked.boundingBox())?.y ?? Number.NaN
  const width = async (): Promise<number> => (await marked.boundingBox())?.width ?? Number.NaN
  const before = await top()
  const wide = await width()
  await page.getByRole('button', { name: 'Names' }).click()
  await expect.poll(width).toBeLessThan(wide)
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(3)
})

test('on a narrow window nothing of what is above a document covers anything else', async () => {
  const { page } = window
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(address('six.pdf', '?find=edition'))
  await page.getByRole('button', { name: 'Next hit' }).click()
  await page.getByText(/^1 of \d+$/).waitFor()
  for (const name of ['Previous hit', 'Outline', 'Names', 'Versions', 'Usage', 'Download the original'])
    await page.getByRole('button', { name, exact: true }).click({ trial: true })
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('tables are tables and copied as CSV; sheets ask for no pictures', async () => {
  const { page, context } = window
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const asked: string[] = []
  // Of this one: the document before it may still be asking for its own.
  const sheets = documents.get('budget-2026.xlsx') ?? ''
  page.on('request', (request) => {
    if (request.url().includes(sheets) && request.url().endsWith('.png')) asked.push(request.url())
  })
  await page.goto(address('budget-2026.xlsx', '?page=1'))
  const table = page.getByRole('group', { name: 'Table' }).first()
  await table.waitFor()
  const cells = await table.locator('tr').nth(1).locator('td').allTextContents()
  await page.getByRole('button', { name: 'Copy as CSV' }).first().click()
  await page.getByText('The table was copied as CSV.').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied.split('\r\n')[1]).toContain(cells[0])
  await isAccessible()
  expect(asked).toEqual([])
})

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const rows = (page: Page) => page.getByRole('table', { name: 'Documents' }).getByRole('link')
const selectOf = (page: Page, title: string) =>
  page.getByRole('checkbox', { name: `Select ${title}`, exact: true })

test('owners see how a document is used and who opened it', async () => {
  const { page } = window
  await page.goto(address('staff-handbook.md'))
  await page.getByRole('button', { name: 'Usage', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Usage' })
  await panel.getByText('Opened by, in the last 90 days').waitFor()
  await panel.getByText('Cited by an answer').waitFor()
  await expectAccessible(page)
})

test('a file whose name is taken by another text is kept beside it, and says so', async () => {
  const { page } = window
  await send({ 'policy.md': new Uint8Array(Buffer.from('# Travel policy\n\nTrains go second class.\n')) })
  await page.goto(`/w/${workspace}/documents`)
  const other = Buffer.from('# Berths\n\nHalden Harbour rents twelve berths to fishing boats.\n')
  await page
    .getByLabel('Files to upload')
    .setInputFiles([{ name: 'policy.md', mimeType: 'text/markdown', buffer: other }])
  await uploads(page)
    .getByText(/^Added beside another document of this name/)
    .waitFor()
  await uploads(page).getByRole('button', { name: 'Dismiss' }).click()
})

test('a new upload takes the place of one that is settled, and stands beside one that failed', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/documents`)
  const choose = (name: string, text: string) =>
    page
      .getByLabel('Files to upload')
      .setInputFiles([{ name, mimeType: 'text/markdown', buffer: Buffer.from(text) }])
  const heading = (name: string) => uploads(page).getByRole('heading', { name })
  await choose('moorings.md', '# Moorings\n\nThe moorings are checked in April.\n')
  await heading('moorings.md 1 file searchable').waitFor()
  await choose('nothing.md', '')
  await heading('nothing.md 1 file could not be read').waitFor()
  expect(await heading('moorings.md').count()).toBe(0)
  await choose('buoys.md', '# Buoys\n\nThe buoys are painted in June.\n')
  await heading('buoys.md 1 file searchable').waitFor()
  expect(await heading('nothing.md').count()).toBe(1)
  await page.reload()
  const unread = page.getByRole('region', { name: 'Files that could not be read' })
  await unread.getByRole('button', { name: /^1 file/ }).click()
  await unread.getByRole('button', { name: 'Remove nothing.md from this list' }).click()
  await unread.waitFor({ state: 'detached' })
})

test('a dropped folder keeps its paths; files of one name in two folders are told apart', async () => {
  const { page } = window
  const folder = join(mkdtempSync(join(tmpdir(), 'kenning-drop-')), 'Contracts')
  for (const year of ['2023', '2024']) mkdirSync(join(folder, year), { recursive: true })
  writeFileSync(join(folder, '2023', 'lease.md'), '# Lease of the old berth\n\nSix months of notice.\n')
  writeFileSync(join(folder, '2024', 'lease.md'), '')
  writeFileSync(join(folder, '.hidden'), 'left behind')
  await page.goto(`/w/${workspace}/documents`)
  await rows(page).first().waitFor()
  const session = await window.context.newCDPSession(page)
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop', y: number) =>
    session.send('Input.dispatchDragEvent', {
      type,
      x: 600,
      y,
      data: { items: [], files: [folder], dragOperationsMask: 1 },
    })
  await drag('dragEnter', 400)
  await drag('dragOver', 400)
  await page.getByText('Drop to upload into this workspace').waitFor()
  // Another element is under the pointer at the end, as when the list grows in this moment. The drop is taken all the same.
  await drag('drop', 60)
  const files = uploads(page).getByRole('listitem')
  // What failed stands first and says what to do.
  await files.nth(0).getByText('The file is empty.').waitFor()
  expect(await files.nth(0).textContent()).toContain('Contracts/2024/lease.md')
  await files
    .nth(1)
    .getByText(/^Searchable/)
    .waitFor()
  expect(await files.nth(1).textContent()).toContain('Contracts/2023/lease.md')
  expect(await files.count()).toBe(2)
  await isAccessible()
  // The folder is one line; trying again would not help an empty file.
  await uploads(page).getByRole('heading', { name: 'Contracts 1 file could not be read' }).waitFor()
  expect(await uploads(page).getByRole('button', { name: /Try/ }).count()).toBe(0)
  // Whoever comes later finds it, too, with what to do about it.
  await page.reload()
  const unread = page.getByRole('region', { name: 'Files that could not be read' })
  await unread.getByRole('button', { name: /^1 file/ }).click()
  await unread.getByText('Contracts/2024/lease.md').waitFor()
  await unread.getByText('The file is empty.').waitFor()
  await isAccessible()
  await unread.getByRole('button', { name: 'Remove Contracts/2024/lease.md from this list' }).click()
  await unread.waitFor({ state: 'detached' })
  await page.getByRole('treeitem', { name: 'Contracts 1 document' }).click()
  await page.waitForURL(/folder=Contracts/)
  await rows(page).getByText('Lease of the old berth').waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  rmSync(dirname(folder), { recursive: true })
})

test('uploads wait for a lost connection and go on by themselves; what is cancelled is not sent', async () => {
  const { page, context } = window
  await page.goto(`/w/${workspace}/documents`)
  await rows(page).first().waitFor()
  const known = window.errors.length
  await context.setOffline(true)
  const chosen = Array.from({ length: 45 }, (_, i) => ({
    name: `note-${i}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from(`# Note ${i}\n\nBerth ${i} is free.\n`),
  }))
  await page.getByLabel('Files to upload').setInputFiles(chosen)
  await uploads(page).getByText('The connection is lost.').waitFor()
  await page
    .getByLabel('Files to upload')
    .setInputFiles([
      { name: 'never.md', mimeType: 'text/markdown', buffer: Buffer.from('# Never\n\nNot this one.\n') },
    ])
  await uploads(page).getByText('never.md').waitFor()
  await uploads(page).getByRole('button', { name: 'Cancel' }).first().click()
  await context.setOffline(false)
  await uploads(page).getByText('45 files searchable', { exact: true }).waitFor()
  const { data } = await api.listDocumentDetails({ workspace_id: workspace, q: 'N', limit: 200 })
  expect(data.filter(({ filename }) => filename.startsWith('note-')).length).toBe(45)
  expect(data.some(({ filename }) => filename === 'never.md')).toBe(false)
  // The browser itself reports requests that found no network.
  expect(window.errors.splice(known).filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED'))).toEqual(
    [],
  )
  const dismiss = uploads(page).getByRole('button', { name: 'Dismiss' })
  for (let open = await dismiss.count(); open > 0; open--) await dismiss.first().click()
})

test('until the bar of uploads can be loaded, one line says how far they are, and the page stays', async () => {
  const bar = /\/assets\/upload-bar-/
  const { page, context, errors } = await openWindow(service.origin)
  await page.goto(`/w/${workspace}/documents`)
  let attempts = 0
  await context.route(bar, (route) => {
    attempts++
    return route.abort()
  })
  await signIn(page, service.account)
  await page.getByLabel('Files to upload').setInputFiles([
    {
      name: 'bar.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Harbour bar\n\nThe bar is dredged in May.\n'),
    },
  ])
  await page.getByRole('status').getByText('1 of 1 file searchable').waitFor()
  await expect.poll(() => attempts, { timeout: 20_000 }).toBeGreaterThanOrEqual(4)
  // The error of the last attempt would be shown in the next frames.
  await page.waitForTimeout(500)
  await page.getByRole('status').getByText('1 of 1 file searchable').waitFor()
  expect(await page.getByText('could not be loaded').count()).toBe(0)
  await expectAccessible(page)
  await context.unroute(bar)
  await uploads(page).getByText('1 file searchable', { exact: true }).waitFor()
  await uploads(page).getByRole('button', { name: 'Dismiss' }).click()
  await uploads(page).waitFor({ state: 'detached' })
  expect(errors.filter((error) => !error.includes('ERR_FAILED'))).toEqual([])
  await context.close()
})

thorough('a long list is fetched as it is scrolled, in the order and filter of its address', async () => {
  const { page } = window
  for (let from = 45; from < 125; from += 20)
    await send(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [
          `note-${from + i}.md`,
          new Uint8Array(Buffer.from(`# Note ${from + i}\n\nBerth ${from + i} is free.\n`)),
        ]),
      ),
    )
  await page.goto(`/w/${workspace}/documents?q=note&order=desc`)
  await page.getByText('100 matches and more').waitFor()
  expect(await rows(page).first().textContent()).toBe('Note 99')
  expect(await rows(page).count()).toBeLessThan(80)
  await rows(page).first().hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 3000)
      return rows(page).getByText('Note 0', { exact: true }).count()
    })
    .toBe(1)
  await page.getByRole('columnheader', { name: 'Changed' }).getByRole('button').click()
  await page.waitForURL(/by=uploaded_at/)
  await isAccessible()
})

test('rows are selected up to another one with Shift, read again, and moved to the trash', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/documents?q=note`)
  const top = async () => (await selectOf(page, 'Note 1').boundingBox())?.y
  await selectOf(page, 'Note 1').waitFor()
  const before = await top()
  await selectOf(page, 'Note 0').click()
  await page.getByText('1 document selected').waitFor()
  expect(await top()).toBe(before)
  await selectOf(page, 'Note 11').click({ modifiers: ['Shift'] })
  await page.getByText('4 documents selected').waitFor()
  await page.getByRole('button', { name: 'Read again' }).click()
  await page.getByText('4 documents will be read again.').waitFor()
  await selectOf(page, 'Note 0').click()
  await selectOf(page, 'Note 1').focus()
  await page.keyboard.press('Shift+Space')
  await page.getByText('2 documents selected').waitFor()
  // They are off the list at once, not when it has been asked for anew.
  let isSeen: () => void = () => undefined
  const seen = new Promise<void>((resolve) => {
    isSeen = resolve
  })
  await page.route(/\/document-details/, async (route) => {
    await seen
    await route.continue()
  })
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('2 documents moved to the trash.').waitFor()
  await rows(page).getByText('Note 0', { exact: true }).waitFor({ state: 'detached' })
  isSeen()
  await page.unrouteAll({ behavior: 'wait' })
  expect(await rows(page).first().textContent()).toBe('Note 10')
})

test('what is in the trash comes back: by the undo of the message, and on its page', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/documents?q=note`)
  await selectOf(page, 'Note 10').check()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await selectOf(page, 'Note 10').waitFor()
  await page.getByRole('link', { name: 'Documents in the trash' }).click()
  await page.getByRole('heading', { name: 'Trash' }).waitFor()
  const list = page.getByRole('list', { name: 'Documents in the trash' })
  await list.getByText('Note 0', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Delete Note 0 for good' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
  await list.getByText('Note 0', { exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Restore Note 1', exact: true }).click()
  await page.getByText('The trash is empty').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'To the documents' }).click()
  await rows(page).getByText('Note 1', { exact: true }).waitFor()
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors).toEqual([])
})
