// The list of documents in a browser: names that can be told apart, and columns that people use.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, type KenningClient } from '../../src/client/client.ts'
import { MAX_FILES, MAX_TRASH_DOCUMENTS } from '../../src/contract/limits.ts'
import { makePdf, prose } from '../support/files/pdf.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: SharedService
let window: Window
let api: KenningClient
let workspace: string

const BEGINNING =
  'Quarterly report of the harbour office of Halden on berths, cranes and the works at the quay'
const report = (quarter: string): string => `${BEGINNING} ${quarter}`
const FILES: Record<string, string> = {
  'Reports/2023/a.md': `# ${report('2023 Q3 AAPL')}\n\nTwelve berths are free.\n`,
  'Reports/2023/b.md': `# ${report('2023 Q4 AAPL')}\n\nEleven berths are free.\n`,
  'Reports/2024/c.md': `# ${report('2024 Q1 MSFT')}\n\nTen berths are free.\n`,
  'Plans/north.md': '# Annual plan\n\nThe north quay is dredged.\n',
  'Plans/south.md': '# Annual plan\n\nThe south quay is paved.\n',
  'Plans/east.md': '# Annual plan\n\nThe east quay is closed.\n',
  'prices.csv': 'item,price\nberth,12\n',
}

beforeAll(async () => {
  service = await sharedService()
  api = createClient({ baseUrl: service.base, token: () => service.token() })
  workspace = (await api.createWorkspace({ name: 'Names' })).id
  const files = Object.entries(FILES).map(([name, text]) => ({ name, content: new Blob([text]) }))
  const job = await api.upload({ workspace_id: workspace, files })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  window = await openWindow(service.origin)
  await window.page.goto('/')
  await signIn(window.page, service.account)
  await window.page.waitForURL(/\/w\//)
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

const table = (page: Page) => page.getByRole('table', { name: 'Documents' })
const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
const columns = (page: Page): Promise<string[]> =>
  table(page)
    .getByRole('columnheader')
    .filter({ visible: true })
    .allInnerTexts()
    .then((texts) => texts.map((text) => text.trim()).filter(Boolean))

test('titles that begin alike are cut before the part that differs; the whole title is told and in the tooltip', async () => {
  const { page } = window
  await page.setViewportSize({ width: 1024, height: 800 })
  await page.goto(`/w/${workspace}/documents`)
  for (const quarter of ['2023 Q3 AAPL', '2023 Q4 AAPL', '2024 Q1 MSFT']) {
    const link = table(page).getByRole('link', { name: report(quarter), exact: true })
    const [beginning, difference] = [link.locator('span').first(), link.locator('span').nth(1)]
    expect(await link.textContent()).toBe(report(quarter))
    expect(await difference.textContent()).toBe(quarter)
    const isCut = (part: Locator): Promise<boolean> =>
      part.evaluate((element) => element.scrollWidth > element.clientWidth)
    expect(await isCut(beginning)).toBe(true)
    expect(await isCut(difference)).toBe(false)
    expect(await link.getAttribute('title')).toContain(report(quarter))
  }
  await expectAccessible(page)
})

test('a title that three documents share gives way to the names of their files, and stands beside them', async () => {
  const { page } = window
  for (const name of ['north.md', 'south.md', 'east.md'])
    expect(await row(page, name).textContent()).toContain('Annual plan')
  expect(
    await table(page)
      .getByRole('link', { name: /^Annual plan/ })
      .count(),
  ).toBe(0)
})

test('the columns are those that people use; a narrow window has name and date alone', async () => {
  const { page } = window
  await page.setViewportSize({ width: 1440, height: 800 })
  expect(await columns(page)).toEqual(['Name', 'Kind', 'Size', 'Changed', 'Uploaded by', 'Last opened'])
  const prices = await row(page, 'prices').textContent()
  for (const text of ['CSV', '20 bytes', 'You']) expect(prices).toContain(text)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await columns(page)).toEqual(['Name', 'Changed'])
  await expectAccessible(page)
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.setViewportSize({ width: 1440, height: 800 })
})

test('where no document matches, one button leads back to all, and the field is empty', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/documents`)
  const field = page.getByRole('searchbox', { name: 'Filter by title or file name' })
  await field.fill('xyzzy')
  await page.getByRole('heading', { name: 'No document matches' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All documents' }).click()
  await expect.poll(() => table(page).getByRole('link').count()).toBe(7)
  expect(await field.inputValue()).toBe('')
  expect(new URL(page.url()).search).toBe('')
})

test('the list is sorted by size, by a click on its column', async () => {
  const { page } = window
  const header = table(page).getByRole('columnheader', { name: 'Size' })
  await header.getByRole('button').click()
  await page.waitForURL(/by=bytes/)
  await expect.poll(() => table(page).getByRole('link').first().textContent()).toBe('prices')
  await header.getByRole('button').click()
  await page.waitForURL(/order=desc/)
  await expect.poll(() => table(page).getByRole('link').last().textContent()).toBe('prices')
  expect(await header.getAttribute('aria-sort')).toBe('descending')
})

test('the folders stand beside the list as a tree: a click shows what lies in one, the address names it', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/documents`)
  const tree = page.getByRole('tree', { name: 'Folders' })
  const item = (name: string) => tree.getByRole('treeitem', { name, exact: true })
  const list = () => table(page).getByRole('link').allInnerTexts()
  await item('All documents 7 documents').waitFor()
  expect(await tree.getByRole('treeitem').count()).toBe(3)
  await item('Reports 3 documents').click()
  await page.waitForURL(/folder=Reports$/)
  await expect.poll(async () => (await list()).length).toBe(3)
  await page.getByRole('status').getByText('3 documents', { exact: true }).waitFor()
  expect(await item('Reports 3 documents').getAttribute('aria-selected')).toBe('true')
  await expectAccessible(page)

  // By the keys: open, enter, choose; leave, close.
  const reports = item('Reports 3 documents')
  await reports.press('ArrowRight')
  expect(await reports.getAttribute('aria-expanded')).toBe('true')
  await reports.press('ArrowRight')
  await item('2023 2 documents').press('ArrowDown')
  await item('2024 1 document').press('Enter')
  await page.waitForURL(/folder=Reports%2F2024/)
  await expect.poll(list).toEqual([report('2024 Q1 MSFT')])
  await item('2024 1 document').press('ArrowLeft')
  await reports.press('ArrowLeft')
  expect(await reports.getAttribute('aria-expanded')).toBe('false')
  await reports.press('p')
  expect(
    await item('Plans 3 documents').evaluate((element) => element.ownerDocument.activeElement === element),
  ).toBe(true)

  // Whoever opens the address sees the folder in the tree.
  await page.reload()
  expect(await item('2024 1 document').getAttribute('aria-selected')).toBe('true')
  await item('All documents 7 documents').click()
  await expect.poll(async () => (await list()).length).toBe(7)
})

test('files that are uploaded while a folder is open land in it, by the button and by a drop', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/documents?folder=Reports%2F2024`)
  await table(page).waitFor()
  const text = (name: string) => Buffer.from(`# ${name}\n\nThe crane of ${name} was painted.\n`)
  await page
    .getByLabel('Files to upload')
    .setInputFiles([{ name: 'button.md', mimeType: 'text/markdown', buffer: text('Button') }])
  await row(page, 'Button').waitFor()
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['# Drop\\n\\nThe crane of the drop was painted.\\n'], 'drop.md'))
    return transfer
  })()`)
  const main = page.getByRole('main')
  await main.locator('table').dispatchEvent('dragenter', { dataTransfer: transfer })
  await page.getByText('Drop to upload into “Reports/2024”').waitFor()
  await main.locator('table').dispatchEvent('drop', { dataTransfer: transfer })
  await row(page, 'Drop').waitFor()
  const { data } = await api.listDocumentDetails({ workspace_id: workspace, folder: 'Reports/2024' })
  const names = data.map(({ filename }) => filename)
  expect(names).toEqual(expect.arrayContaining(['Reports/2024/button.md', 'Reports/2024/drop.md']))
  const added = data.filter(({ filename }) => /(button|drop)\.md$/.test(filename))
  for (const { id } of added) await api.deleteDocument({ workspace_id: workspace, document_id: id })
})

test('in a narrow window the folder is chosen above the list', async () => {
  const { page } = window
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/w/${workspace}/documents`)
  const select = page.getByRole('combobox', { name: 'Folder' })
  await select.selectOption({ label: 'Reports/2023 (2)' })
  await page.waitForURL(/folder=Reports%2F2023/)
  await expect.poll(() => table(page).getByRole('link').count()).toBe(2)
  expect(await page.getByRole('tree').isVisible()).toBe(false)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 800 })
})

test('selected documents are added to a scope and removed again, and both can be undone', async () => {
  const { page } = window
  const scoped = async (): Promise<string[]> => {
    const { data } = await api.listScopes({ workspace_id: workspace })
    return data.filter(({ name }) => name === 'Quays').map(({ document_count }) => String(document_count))
  }
  const open = async (): Promise<void> => {
    for (const name of ['Annual plan', 'prices'])
      await page
        .getByRole('checkbox', { name: `Select ${name}`, exact: true })
        .first()
        .check()
    await page.getByRole('button', { name: 'Scope', exact: true }).click()
  }
  await page.goto(`/w/${workspace}/documents`)
  await open()
  const dialog = page.getByRole('dialog', { name: 'Scope of 2 documents' })
  await dialog.getByLabel('Name of the scope').fill('Quays')
  expect(await dialog.getByRole('button', { name: 'Remove from scope' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Add to scope' }).click()
  await page.getByText('2 documents added to “Quays”.').waitFor()
  expect(await scoped()).toEqual(['2'])
  expect(await page.getByText('documents selected').count()).toBe(0)

  await open()
  await dialog.getByLabel('Name of the scope').fill('Quays')
  await dialog.getByRole('button', { name: 'Remove from scope' }).click()
  await page.getByText('2 documents removed from “Quays”.').waitFor()
  expect(await scoped()).toEqual(['0'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(scoped).toEqual(['2'])
})

test('selected documents are moved to a folder by the keyboard, and come back to their own by the undo', async () => {
  const { page } = window
  const paths = async (): Promise<string[]> =>
    (await api.listDocuments({ workspace_id: workspace })).data.map(({ path }) => path ?? '').sort()
  const isFocused = (locator: Locator): Promise<boolean> =>
    locator.evaluate((element) => element.matches(':focus'))
  const before = await paths()
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.goto(`/w/${workspace}/documents`)
  const tree = page.getByRole('tree', { name: 'Folders' })
  const select = (title: string) =>
    page
      .getByRole('checkbox', { name: `Select ${title}`, exact: true })
      .first()
      .press('Space')
  await select('Annual plan')
  await select('prices')
  const button = page.getByRole('button', { name: 'Move to folder' })
  await button.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move 2 documents to a folder' })
  const field = dialog.getByRole('combobox', { name: 'Folder' })
  await expect.poll(() => isFocused(field)).toBe(true)
  await expectAccessible(page)
  const options = dialog.locator('datalist option')
  await expect
    .poll(() => options.evaluateAll((all) => all.map((one) => one.getAttribute('value'))))
    .toEqual(expect.arrayContaining(['Plans', 'Reports', 'Reports/2023', 'Reports/2024']))
  await page.keyboard.press('Escape')
  await expect.poll(() => isFocused(button)).toBe(true)

  await button.press('Enter')
  await field.fill('Archive/2026')
  await field.press('Enter')
  await page.getByText('2 documents moved to “Archive/2026”.').waitFor()
  const archive = tree.getByRole('treeitem', { name: 'Archive 2 documents' })
  await archive.waitFor()
  // At once: the message with the action stays for fifteen seconds.
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await page.getByText('documents selected').count()).toBe(0)
  await archive.waitFor({ state: 'detached' })
  expect(await paths()).toEqual(before)
})

test('a folder is moved to the trash as one action, comes back by the undo, and is one line in the trash', async () => {
  const { page } = window
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.goto(`/w/${workspace}/documents?folder=Plans`)
  const tree = page.getByRole('tree', { name: 'Folders' })
  const plans = tree.getByRole('treeitem', { name: 'Plans 3 documents' })
  await plans.press('Delete')
  await page.getByText('“Plans” moved to the trash with 3 documents.').waitFor()
  await page.waitForURL(/documents$/)
  await plans.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await plans.waitFor()

  await page.setViewportSize({ width: 1024, height: 800 })
  await page.goto(`/w/${workspace}/documents?folder=Plans`)
  await page.getByRole('button', { name: 'Actions for “Plans”' }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  await page.getByText('“Plans” moved to the trash with 3 documents.').waitFor()
  await page.goto(`/w/${workspace}/trash`)
  const list = page.getByRole('list', { name: 'Documents in the trash' })
  await list.getByText('Plans', { exact: true }).waitFor()
  expect(await list.locator('> li').count()).toBe(1)
  await list.getByText('3 documents', { exact: true }).waitFor()
  await list.getByText('Show its documents').click()
  expect(await list.getByRole('listitem').count()).toBe(4)
  await expectAccessible(page)
  // The workspaces in the trash are on a page of their own, from where this one is a click away.
  await page.getByRole('link', { name: 'Workspaces in the trash' }).click()
  await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor()
  await expectAccessible(page)
  const ofWorkspaces = page.getByRole('region', { name: 'Documents in the trash' })
  await ofWorkspaces.getByRole('link', { name: 'Names', exact: true }).click()
  await list.waitFor()
  await list.getByRole('button', { name: 'Delete Plans for good' }).click()
  await page.getByRole('dialog').getByText('3 documents and their earlier versions are deleted.').waitFor()
  await page.keyboard.press('Escape')
  await list.getByRole('button', { name: 'Restore Plans', exact: true }).click()
  await page.getByText('The trash is empty').waitFor()
  const { data } = await api.listDocumentDetails({ workspace_id: workspace, folder: 'Plans' })
  expect(data.map(({ filename }) => filename).sort()).toEqual([
    'Plans/east.md',
    'Plans/north.md',
    'Plans/south.md',
  ])
})

test('documents with pages have a picture of the first one, asked for as it comes into view; others have an icon', async () => {
  const { page } = window
  const pictures = (await api.createWorkspace({ name: 'Pictures' })).id
  const files = Array.from({ length: 38 }, (_, i) => ({
    name: `report-${100 + i}.pdf`,
    content: new Blob([makePdf([prose([`Report ${i} of the harbour office.`])])]),
  }))
  const note = { name: 'a note.md', content: new Blob(['# A note\n\nIt has no pages.\n']) }
  for (const batch of [[note, ...files.slice(0, 19)], files.slice(19)]) {
    const job = await api.upload({ workspace_id: pictures, files: batch })
    for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  }
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/pages/1.png')) asked.push(request.url())
  })
  await page.setViewportSize({ width: 1440, height: 480 })
  await page.goto(`/w/${pictures}/documents`)
  const images = table(page).locator('tbody img')
  await images.nth(3).waitFor()
  expect(await row(page, 'A note').locator('img').count()).toBe(0)
  expect(await row(page, 'A note').locator('svg').count()).toBe(1)
  // The rows that stand ready below the visible ones ask for nothing.
  expect(await table(page).locator('tbody tr').count()).toBeGreaterThan(20)
  await expect.poll(() => table(page).locator('tbody img').count()).toBe(asked.length)
  expect(asked.length).toBeLessThan(14)
  expect(asked.every((url) => url.endsWith('?width=64'))).toBe(true)
  const naturalWidth = Number(await images.first().evaluate((image) => Reflect.get(image, 'naturalWidth')))
  expect(Math.abs(naturalWidth - 64)).toBeLessThan(2)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1440, height: 800 })
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors).toEqual([])
})

test('what stands in the way of a move is said in the dialog, and nothing is moved', async () => {
  const { page } = window
  const content = new Blob(['item,price\ncrane,900\nboat,40\n'])
  const job = await api.upload({ workspace_id: workspace, files: [{ name: 'Other/prices.csv', content }] })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.goto(`/w/${workspace}/documents?folder=Other`)
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .check()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 1 document to a folder' })
  const field = dialog.getByRole('combobox', { name: 'Folder' })
  await field.fill('../elsewhere')
  await field.press('Enter')
  await dialog.getByRole('alert').getByText('relative path').waitFor()
  await field.fill('')
  await dialog.getByRole('button', { name: 'Move to folder' }).click()
  await dialog.getByText('Nothing was moved: “prices.csv” is taken.').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const document_id = (await api.getJob({ job_id: job.id })).files[0]?.document_id ?? ''
  await api.deleteDocument({ workspace_id: workspace, document_id })
})

test('if the service fails while a folder is moved, the message says how much was moved, and its undo brings that back', async () => {
  const { page } = window
  const { id: many } = await api.createWorkspace({ name: 'Many' })
  // One more than a request may move.
  const files = Array.from({ length: MAX_TRASH_DOCUMENTS + 1 }, (_, no) => ({
    name: `Boxes/${no}.md`,
    content: new Blob([`# Box ${no}\n`]),
  }))
  const jobs = await Promise.all(
    Array.from({ length: Math.ceil(files.length / MAX_FILES) }, (_, no) =>
      api.upload({ workspace_id: many, files: files.slice(no * MAX_FILES, (no + 1) * MAX_FILES) }),
    ),
  )
  for (const job of jobs)
    for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  let requests = 0
  await page.route(/\/trash$/, (route) => {
    if (route.request().method() === 'POST' && ++requests === 2)
      return route.fulfill({ status: 500, body: '' })
    return route.continue()
  })
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.goto(`/w/${many}/documents`)
  const boxes = page.getByRole('treeitem', { name: 'Boxes 101 documents' })
  await boxes.press('Delete')
  await page.getByText('100 documents moved to the trash, 1 not.').waitFor()
  // At once: the message with the action stays for fifteen seconds.
  await page.getByRole('button', { name: 'Undo' }).click()
  await boxes.waitFor({ timeout: 120_000 })
  await page.unroute(/\/trash$/)

  // Of selected documents, those that were not moved stay selected.
  await page.goto(`/w/${many}/documents`)
  await page.getByRole('status').getByText('101 documents', { exact: true }).waitFor()
  await row(page, 'Box 0').hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 10_000)
      return row(page, 'Box 99').isVisible()
    })
    .toBe(true)
  await table(page).getByRole('checkbox').first().check()
  await page.getByText('101 documents selected').waitFor()
  requests = 0
  await page.route(/\/trash$/, (route) => {
    if (route.request().method() === 'POST' && ++requests === 2)
      return route.fulfill({ status: 500, body: '' })
    return route.continue()
  })
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('100 documents moved to the trash, 1 not.').waitFor()
  await page.getByText('1 document selected').waitFor()
  await page.unroute(/\/trash$/)

  // What is in the trash no more does not keep the others from coming back.
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('1 document moved to the trash.').waitFor()
  const { data: trashed } = await api.listTrash({ workspace_id: many, limit: 200 })
  await page.goto(`/w/${many}/trash`)
  await page.getByRole('button', { name: 'Restore all' }).waitFor()
  await page.route(/\/trash\?/, (route) => route.fulfill({ json: { data: trashed, next_cursor: null } }))
  for (const { id: trash_id } of trashed.slice(0, MAX_TRASH_DOCUMENTS))
    await api.deleteTrashed({ workspace_id: many, trash_id })
  await page.getByRole('button', { name: 'Restore all' }).click()
  await page.getByText('1 document restored, 100 not.').waitFor()
  await page.unroute(/\/trash\?/)
  await expect
    .poll(async () => (await api.listDocumentDetails({ workspace_id: many })).data.map(({ title }) => title))
    .toEqual([trashed.at(-1)?.title])
})

test('documents that somebody else moved to the trash do not stay selected', async () => {
  const { page } = window
  const { id: shared } = await api.createWorkspace({ name: 'Shared' })
  const files = ['One', 'Two', 'Three'].map((name) => ({
    name: `${name}.md`,
    content: new Blob([`# Sheet ${name}\n`]),
  }))
  const job = await api.upload({ workspace_id: shared, files })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  await page.goto(`/w/${shared}/documents`)
  await page.getByRole('checkbox', { name: 'Select Sheet One' }).check()
  // In a narrow window the buttons need more lines than what they stand in front of, and cover no row.
  await page.setViewportSize({ width: 390, height: 800 })
  const button = await page.getByRole('button', { name: 'Move to trash' }).boundingBox()
  const head = await table(page).boundingBox()
  if (!button || !head) throw new Error('the selection is not shown')
  expect(button.y + button.height).toBeLessThanOrEqual(head.y)
  await page.setViewportSize({ width: 1440, height: 800 })
  const { data } = await api.listDocumentDetails({ workspace_id: shared, q: 'Sheet One' })
  await api.trashDocuments({ workspace_id: shared, document_ids: data.map(({ id }) => id) })
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await row(page, 'Sheet One').waitFor({ state: 'detached' })
  await page.getByText('1 document selected').waitFor({ state: 'detached' })

  // What is selected while a request is on its way stays selected, and what was cleared is not selected again.
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/trash$/, async (route) => {
    await answered
    await route.fulfill({ status: 500, body: '' })
  })
  await page.getByRole('checkbox', { name: 'Select Sheet Two' }).check()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('checkbox', { name: 'Select Sheet Three' }).check()
  const failed = page.waitForResponse(/\/trash$/)
  const reloaded = page.waitForResponse(/\/document-details/)
  answer()
  await failed
  await reloaded
  expect(await page.getByRole('checkbox', { name: 'Select Sheet Three' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: 'Select Sheet Two' }).isChecked()).toBe(false)
  await page.unroute(/\/trash$/)
})

test('what is in the way of one document does not keep the others from moving back, and the message says so', async () => {
  const { page } = window
  const { id: moves } = await api.createWorkspace({ name: 'Moves' })
  const files = ['A/x.md', 'B/y.md', 'D/y.md'].map((name) => ({
    name,
    content: new Blob([`# Sheet ${name.replace('/', ' ')}\n`]),
  }))
  const job = await api.upload({ workspace_id: moves, files })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  const byPath = async () =>
    new Map((await api.listDocuments({ workspace_id: moves })).data.map(({ path, id }) => [path, id]))
  await page.goto(`/w/${moves}/documents`)
  await page.getByRole('checkbox', { name: 'Select Sheet A x.md' }).check()
  await page.getByRole('checkbox', { name: 'Select Sheet B y.md' }).check()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  const field = page.getByRole('dialog').getByRole('combobox', { name: 'Folder' })
  await field.fill('C')
  await field.press('Enter')
  await page.getByText('2 documents moved to “C”.').waitFor()
  const document_ids = [(await byPath()).get('D/y.md') ?? '']
  await api.moveDocuments({ workspace_id: moves, document_ids, folder: 'B' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Some of the documents were moved, others not: “B/y.md” is taken.').waitFor()
  expect([...(await byPath()).keys()].sort()).toEqual(['A/x.md', 'B/y.md', 'C/y.md'])
})

test('the tree says that there are more folders than it lists', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/documents`)
  await page.getByRole('tree', { name: 'Folders' }).waitFor()
  expect(await page.getByText('topmost folders').count()).toBe(0)
  await page.route(/\/folders$/, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, has_more: true } })
  })
  await page.reload()
  await page.getByText('Only the 4 topmost folders are listed here.').filter({ visible: true }).waitFor()
  await expectAccessible(page)
  await page.unroute(/\/folders$/)
})
