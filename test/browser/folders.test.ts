// Moving and renaming whole folders in a browser, by mouse and by keyboard, and taking it back.

import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClient, type KenningClient } from '../../src/client/client.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: SharedService
let window: Window
let page: Page
let api: KenningClient
let workspace: string

const PATHS = ['Reports/2023/a.md', 'Reports/2023/Q3/b.md', 'Reports/c.md', 'Archive/2023/d.md', 'e.md']

beforeAll(async () => {
  service = await sharedService()
  api = createClient({ baseUrl: service.base, token: () => service.token() })
  window = await openWindow(service.origin)
  page = window.page
  await page.goto('/')
  await signIn(page, service.account)
  await page.getByRole('main').waitFor()
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})
beforeEach(async () => {
  workspace = (await api.createWorkspace({ name: 'Folders' })).id
  const files = PATHS.map((name) => ({
    name,
    content: new Blob([`# Sheet ${name}\n\nIt is about ${name}.\n`]),
  }))
  const job = await api.upload({ workspace_id: workspace, files })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.goto(`/w/${workspace}/documents`)
})

const item = (name: string): Locator =>
  page.getByRole('tree', { name: 'Folders' }).getByRole('treeitem', { name, exact: true })
const paths = async (): Promise<string[]> =>
  (await api.listDocuments({ workspace_id: workspace })).data.map(({ path }) => path ?? '').sort()
const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element.matches(':focus'))
const undo = (): Promise<void> => page.getByRole('button', { name: 'Undo' }).click()

test('by the mouse: a folder goes into another one, the reader with it, and back by the undo', async () => {
  const before = await paths()
  await item('Reports 3 documents').click()
  await page.waitForURL(/folder=Reports$/)
  const actions = item('Reports 3 documents').getByTitle('Actions for “Reports”')
  expect(await actions.isVisible()).toBe(true)
  await actions.click()
  const menu = page.getByRole('menu', { name: 'Actions for “Reports”' })
  expect(await menu.getByRole('menuitem').allInnerTexts()).toEqual(['Move …', 'Rename …', 'Move to trash'])
  await expectAccessible(page)
  await menu.getByRole('menuitem', { name: 'Move …' }).click()
  expect(await menu.count()).toBe(0)
  const dialog = page.getByRole('dialog', { name: 'Move “Reports” to a folder' })
  const offered = dialog.locator('datalist option')
  await expect
    .poll(() => offered.evaluateAll((all) => all.map((one) => one.getAttribute('value'))))
    .toEqual(['Archive', 'Archive/2023'])
  await dialog.getByRole('combobox', { name: 'Folder' }).fill('Archive')
  await dialog.getByRole('button', { name: 'Move to folder' }).click()
  await page.getByText('“Reports” is now “Archive/Reports”, with 3 documents.').waitFor()
  await page.waitForURL(/folder=Archive%2FReports$/)
  await expect.poll(() => item('Reports 3 documents').getAttribute('aria-level')).toBe('3')
  expect(await paths()).toEqual([
    'Archive/2023/d.md',
    'Archive/Reports/2023/Q3/b.md',
    'Archive/Reports/2023/a.md',
    'Archive/Reports/c.md',
    'e.md',
  ])
  await undo()
  await page.waitForURL(/folder=Reports$/)
  // A click with the other button opens the menu, too, also while that of another folder is open.
  await item('Reports 3 documents').click({ button: 'right' })
  await menu.waitFor()
  await item('Archive 1 document').click({ button: 'right' })
  await page.getByRole('menu', { name: 'Actions for “Archive”' }).waitFor()
  expect(await page.getByRole('menu').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await expect.poll(() => item('Reports 3 documents').getAttribute('aria-level')).toBe('2')
  expect(await paths()).toEqual(before)
})

test('by the keyboard: into a folder that has one of this name already, whose documents stay when it is undone', async () => {
  await api.putScope({ workspace_id: workspace, scope_name: 'Year', folders: ['Reports/2023'] })
  const inScope = async (): Promise<string[]> =>
    (await api.listScopeDocuments({ workspace_id: workspace, scope_name: 'Year' })).data
      .map(({ path }) => path)
      .sort()
  const scopeBefore = await inScope()
  const before = await paths()
  await item('Reports 3 documents').press('ArrowRight')
  await item('2023 2 documents').press('ArrowRight')
  await item('2023 2 documents').press('Shift+F10')
  const menu = page.getByRole('menu', { name: 'Actions for “2023”' })
  await menu.waitFor()
  // Escape leads back, and the arrows go around.
  await page.keyboard.press('Escape')
  await expect.poll(() => isFocused(item('2023 2 documents'))).toBe(true)
  await page.keyboard.press('Shift+F10')
  await page.keyboard.press('ArrowUp')
  expect(await isFocused(menu.getByRole('menuitem', { name: 'Move to trash' }))).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const field = page
    .getByRole('dialog', { name: 'Move “2023” to a folder' })
    .getByRole('combobox', { name: 'Folder' })
  await expect.poll(() => isFocused(field)).toBe(true)
  await expectAccessible(page)

  const dialog = page.getByRole('dialog')
  for (const [folder, problem] of [
    ['Reports', 'The folder is there already.'],
    ['Reports/2023', 'A folder cannot be moved into itself.'],
    ['Reports/2023/Q3/x', 'A folder cannot be moved into itself.'],
    ['../x', 'Nothing was moved: the folder must be a short relative path without “..”.'],
  ] as const) {
    await field.fill(folder)
    await field.press('Enter')
    await dialog.getByRole('alert').getByText(problem).waitFor()
  }
  expect(await paths()).toEqual(before)

  await field.fill('Archive')
  await dialog.getByText('There is a folder “Archive/2023” already: the two become one.').waitFor()
  await field.press('Enter')
  await page.getByText('“Reports/2023” is now “Archive/2023”, with 2 documents.').waitFor()
  // The focus is where the folder is.
  await expect.poll(() => isFocused(item('2023 3 documents'))).toBe(true)
  await item('Q3 1 document').waitFor()
  expect((await inScope()).length).toBe(3)
  await undo()
  await expect.poll(paths).toEqual(before)
  expect(await inScope()).toEqual(scopeBefore)
  await item('2023 2 documents').waitFor()
})

test('who is in a folder that was at the destination before stays there when a move is undone', async () => {
  const { data } = await api.listDocuments({ workspace_id: workspace })
  const ids = data.filter(({ path }) => path === 'e.md').map(({ id }) => id)
  await api.moveDocuments({ workspace_id: workspace, document_ids: ids, folder: 'Archive/2023/Old' })
  const before = await paths()
  await page.goto(`/w/${workspace}/documents?folder=Archive%2F2023%2FOld`)
  await item('Old 1 document').waitFor()
  await item('Reports 3 documents').press('ArrowRight')
  await page.locator('[data-path="Reports/2023"]').dragTo(item('Archive 2 documents'))
  await page.getByText('“Reports/2023” is now “Archive/2023”, with 2 documents.').waitFor()
  await item('Archive 4 documents').waitFor()
  await undo()
  await item('Archive 2 documents').waitFor()
  expect(await paths()).toEqual(before)
  expect(new URL(page.url()).searchParams.get('folder')).toBe('Archive/2023/Old')
  await item('Old 1 document').waitFor()
})

test('a folder is renamed by F2, and what stands in the way is said', async () => {
  await item('Reports 3 documents').press('F2')
  const dialog = page.getByRole('dialog', { name: 'Rename “Reports”' })
  const field = dialog.getByLabel('Name')
  await expect.poll(() => isFocused(field)).toBe(true)
  await expectAccessible(page)
  // The name is selected, so that typing replaces it.
  await page.keyboard.type('a/b')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('This cannot be the name of a folder.').waitFor()
  await field.fill('Reports of the year')
  await page.keyboard.press('Enter')
  await page.getByText('“Reports” is now “Reports of the year”, with 3 documents.').waitFor()
  await expect.poll(() => isFocused(item('Reports of the year 3 documents'))).toBe(true)
  expect(await paths()).toContain('Reports of the year/2023/Q3/b.md')
  await undo()
  await item('Reports 3 documents').waitFor()

  // Another file has the name that one of them would get.
  const job = await api.upload({
    workspace_id: workspace,
    files: [{ name: 'Other/2023/a.md', content: new Blob(['# Cranes\n\nThe crane is painted.\n']) }],
  })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  await page.reload()
  await item('Reports 3 documents').press('F2')
  await field.fill('Other')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('Nothing was moved: “Other/2023/a.md” is taken.').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => isFocused(item('Reports 3 documents'))).toBe(true)
})

test('that two folders become one is said of a folder that the list does not have, too', async () => {
  await page.route(/\/folders$/, async (route) => {
    const answer = await (await route.fetch()).json()
    const data = answer.data.filter(({ path }: { path: string }) => !path.startsWith('Archive'))
    await route.fulfill({ json: { data, has_more: true } })
  })
  await page.reload()
  await item('Reports 3 documents').press('F2')
  const dialog = page.getByRole('dialog', { name: 'Rename “Reports”' })
  await dialog.getByLabel('Name').fill('Archive')
  await dialog.getByText('There is a folder “Archive” already: the two become one.').waitFor()
  await dialog.getByLabel('Name').fill('Archives')
  await dialog.getByText('the two become one').waitFor({ state: 'detached' })
  await page.unroute(/\/folders$/)
})

test('folders and selected documents are dragged onto a folder of the tree', async () => {
  const before = await paths()
  await item('Archive 1 document').dragTo(item('Reports 3 documents'))
  await page.getByText('“Archive” is now “Reports/Archive”, with 1 document.').waitFor()
  await item('Reports 4 documents').waitFor()
  expect(await paths()).toContain('Reports/Archive/2023/d.md')
  await undo()
  await item('Archive 1 document').waitFor()
  expect(await paths()).toEqual(before)

  // Not into a folder of its own.
  await item('Reports 3 documents').press('ArrowRight')
  await item('Reports 3 documents').dragTo(item('2023 2 documents'))
  await page.getByRole('checkbox', { name: 'Select Sheet e.md' }).check()
  await page.getByRole('checkbox', { name: 'Select Sheet Reports/2023/a.md' }).check()
  await page.getByRole('link', { name: 'Sheet e.md' }).dragTo(item('Archive 1 document'))
  await page.getByText('2 documents moved to “Archive”.').waitFor()
  await page.getByText('documents selected').waitFor({ state: 'detached' })
  expect(await paths()).toEqual([
    'Archive/2023/d.md',
    'Archive/a.md',
    'Archive/e.md',
    'Reports/2023/Q3/b.md',
    'Reports/c.md',
  ])
  await undo()
  await expect.poll(paths).toEqual(before)
})

test('what is no move of the list cannot be dropped on a folder, even if the end of the last move was not told', async () => {
  /** Whether the folder takes what is dragged. Nothing tells of the end of the drag, as when its row has left the table. */
  const isTaken = (type: string): Promise<boolean> =>
    page.evaluate<boolean>(`(() => {
      const send = (name, path, dataTransfer) =>
        !document
          .querySelector('[role=treeitem][data-path=' + path + ']')
          .dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer }))
      const move = new DataTransfer()
      send('dragstart', 'Archive', move)
      const other = new DataTransfer()
      other.setData('${type}', 'https://kenning.test')
      return send('dragover', 'Reports', '${type}' === 'move' ? move : other)
    })()`)
  await item('Reports 3 documents').waitFor()
  expect(await isTaken('move')).toBe(true)
  expect(await isTaken('text/uri-list')).toBe(false)
  expect(await isTaken('text/plain')).toBe(false)
})

test('a menu is closed by the button that opened it, and letters are for its actions alone', async () => {
  const button = item('Reports 3 documents').getByTitle('Actions for “Reports”')
  const menu = page.getByRole('menu')
  await item('Reports 3 documents').hover()
  for (const isOpen of [true, false, true]) {
    await button.click()
    await expect.poll(() => menu.count()).toBe(isOpen ? 1 : 0)
    if (isOpen) await expect.poll(() => isFocused(menu.getByRole('menuitem', { name: 'Move …' }))).toBe(true)
  }
  const [rename, trash] = ['Rename …', 'Move to trash'].map((name) => menu.getByRole('menuitem', { name }))
  await page.keyboard.press('r')
  expect(await rename?.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.press('m')
  expect(await trash?.evaluate((element) => element.matches(':focus'))).toBe(true)
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  expect(await menu.count()).toBe(1)
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Rename a folder').waitFor()
})

test('a dialog of a folder does not stay for another workspace', async () => {
  const other = (await api.createWorkspace({ name: 'Empty folders' })).id
  await item('Reports 3 documents').press('F2')
  await page.getByRole('dialog', { name: 'Rename “Reports”' }).waitFor()
  await page.evaluate(`history.pushState({}, '', '/w/${other}/documents')`)
  await page.getByRole('heading', { level: 1, name: 'Empty folders' }).waitFor()
  await page.getByText('No documents yet').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.goBack()
  await item('Reports 3 documents').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('the reason for which a dragged folder stays is said also after another move', async () => {
  const isOfMove = /folders\/move$/
  let letThrough: () => void = () => undefined
  const isOver = new Promise<void>((resolve) => {
    letThrough = resolve
  })
  await page.route(isOfMove, async (route) => {
    if (route.request().postDataJSON().folder !== 'Reports') return route.continue()
    await isOver
    await route.fulfill({
      status: 422,
      json: {
        detail: [
          { type: 'name_taken', loc: ['body', 'to'], msg: 'taken', ctx: { path: 'Archive/Reports/c.md' } },
        ],
      },
    })
  })
  await item('Reports 3 documents').press('ArrowRight')
  await item('Reports 3 documents').dragTo(item('Archive 1 document'))
  await item('2023 2 documents').dragTo(item('Archive 1 document'))
  await page.getByText('“Reports/2023” is now “Archive/2023”, with 2 documents.').waitFor()
  letThrough()
  await page.getByText('Nothing was moved: “Archive/Reports/c.md” is taken.').waitFor()
  await page.unroute(isOfMove)
})

test('all of a folder that is selected keeps the folders below it, unless somebody says otherwise', async () => {
  const before = await paths()
  await page.goto(`/w/${workspace}/documents?folder=Reports`)
  await page.getByRole('checkbox', { name: 'Select all documents shown' }).check()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 3 documents to a folder' })
  const keep = dialog.getByRole('checkbox', { name: 'Keep the folders below “Reports”' })
  expect(await keep.isChecked()).toBe(true)
  await dialog.getByRole('combobox', { name: 'Folder' }).fill('Old')
  await dialog.getByText(/^For example: Old\/2023\//).waitFor()
  await expectAccessible(page)
  await keep.uncheck()
  await dialog.getByText(/^For example: Old\/[ab]\.md$/).waitFor()
  await keep.check()
  await dialog.getByRole('button', { name: 'Move to folder' }).click()
  await page.getByText('3 documents moved to “Old”.').waitFor()
  expect(await paths()).toEqual([
    'Archive/2023/d.md',
    'Old/2023/Q3/b.md',
    'Old/2023/a.md',
    'Old/c.md',
    'e.md',
  ])
  await undo()
  await expect.poll(paths).toEqual(before)

  // Some of them go without their folders.
  await page.goto(`/w/${workspace}/documents?folder=Reports`)
  await page.getByRole('checkbox', { name: 'Select Sheet Reports/2023/a.md' }).check()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  await dialog.waitFor({ state: 'detached' })
  const one = page.getByRole('dialog', { name: 'Move 1 document to a folder' })
  expect(await one.getByRole('checkbox').isChecked()).toBe(false)
  await one.getByRole('combobox', { name: 'Folder' }).fill('Old')
  await page.keyboard.press('Enter')
  await page.getByText('1 document moved to “Old”.').waitFor()
  expect(await paths()).toContain('Old/a.md')
})

test('what kept its folders goes back as it was, although one of it has the old path of another', async () => {
  const id = (await api.createWorkspace({ name: 'Chain' })).id
  workspace = id
  const files = ['a.md', 'Archive/a.md'].map((name) => ({
    name,
    content: new Blob([`# Sheet ${name}\n\nIt is about ${name}.\n`]),
  }))
  const job = await api.upload({ workspace_id: id, files })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  const pathsById = async (): Promise<Record<string, string | null | undefined>> =>
    Object.fromEntries((await api.listDocuments({ workspace_id: id })).data.map((one) => [one.id, one.path]))
  const before = await pathsById()
  await page.goto(`/w/${id}/documents`)
  await page.getByRole('checkbox', { name: 'Select all documents shown' }).check()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 documents to a folder' })
  await dialog.getByRole('combobox', { name: 'Folder' }).fill('Archive')
  await dialog.getByRole('button', { name: 'Move to folder' }).click()
  await page.getByText('2 documents moved to “Archive”.').waitFor()
  expect(await paths()).toEqual(['Archive/Archive/a.md', 'Archive/a.md'])
  await undo()
  await expect.poll(pathsById).toEqual(before)

  // Out of the folder, which is not out of their folders.
  await page.goto(`/w/${id}/documents?folder=Archive`)
  await api.moveFolder({ workspace_id: id, folder: 'Archive', to: 'Old/Archive' })
  await page.goto(`/w/${id}/documents?folder=Old`)
  await page.getByRole('checkbox', { name: 'Select all documents shown' }).check()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  const one = page.getByRole('dialog', { name: 'Move 1 document to a folder' })
  await one.getByRole('button', { name: 'Move to folder' }).click()
  await page.getByText('1 document moved out of “Old”.').waitFor()
  expect(await pathsById()).toEqual(before)

  // What was deleted meanwhile keeps the undo from the rest, and the message says why.
  const [document_id = ''] = Object.keys(before).filter((one) => before[one] === 'Archive/a.md')
  await api.deleteDocument({ workspace_id: id, document_id })
  await undo()
  await page.getByText('Nothing was moved: not all of it is there any more.').waitFor()
})

test('in a narrow window the actions of the folder stand beside its name', async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/w/${workspace}/documents?folder=Reports%2F2023`)
  await page.getByRole('button', { name: 'Actions for “2023”' }).click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Rename …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename “2023”' })
  await dialog.getByLabel('Name').fill('2024')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.waitForURL(/folder=Reports%2F2024$/)
  await page.getByText('“Reports/2023” is now “Reports/2024”, with 2 documents.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.waitForURL(/folder=Reports%2F2023$/)
})

test('whoever may only read sees no actions', async () => {
  const account = await service.another()
  await api.putMember({ workspace_id: workspace, email: account.email, role: 'viewer' })
  const reader = await openWindow(service.origin)
  await reader.page.goto('/')
  await signIn(reader.page, account)
  await reader.page.getByRole('main').waitFor()
  await reader.page.setViewportSize({ width: 1440, height: 800 })
  await reader.page.goto(`/w/${workspace}/documents`)
  const reports = reader.page.getByRole('treeitem', { name: 'Reports 3 documents' })
  await reports.hover()
  expect(await reader.page.getByTitle(/^Actions for/).count()).toBe(0)
  expect(await reports.getAttribute('draggable')).not.toBe('true')
  await reports.press('Shift+F10')
  await reports.press('F2')
  await reports.click({ button: 'right' })
  expect(await reader.page.getByRole('menu').count()).toBe(0)
  expect(await reader.page.getByRole('dialog').count()).toBe(0)
  await reader.page.setViewportSize({ width: 390, height: 844 })
  await reader.page.goto(`/w/${workspace}/documents?folder=Reports`)
  await reader.page.getByRole('table').waitFor()
  expect(await reader.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  await reader.page.keyboard.press('?')
  const shortcuts = reader.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.getByText('Close what is open').waitFor()
  expect(await shortcuts.getByText(/folder/).count()).toBe(0)
  await reader.context.close()
})

test('nothing was told to the browser’s console as an error', () => {
  // But for the requests that were refused.
  expect(window.errors.filter((text) => !/422|404/.test(text))).toEqual([])
})
