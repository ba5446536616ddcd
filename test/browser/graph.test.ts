// The graph in a browser: themes, canvas and table of the same entities, one open beside them, by mouse and keyboard.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, type KenningClient } from '../../src/client/client.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: SharedService
let window: Window
let api: KenningClient
let workspace_id: string

beforeAll(async () => {
  service = await sharedService()
  api = createClient({ baseUrl: service.base, token: await service.token() })
  workspace_id = (await api.createWorkspace({ name: 'Tidewick' })).id
  const names = ['staff-handbook.md', 'suppliers.csv', 'board-minutes-2026-03-12.docx']
  const job = await api.upload({
    workspace_id,
    files: names.map((name) => ({ name, content: new Blob([readFileSync(`examples/${name}`)]) })),
  })
  // Until they are in the graph.
  for await (const { event } of api.jobEvents({ job_id: job.id })) if (event === 'complete') break
  window = await openWindow(service.origin)
  await window.page.goto(`/w/${workspace_id}/graph`)
  await signIn(window.page, service.account)
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

const isAccessible = (): Promise<void> => expectAccessible(window.page)

const view = (name: string) =>
  window.page.getByRole('navigation', { name: 'Views of the graph' }).getByRole('link', { name })
const panel = () => window.page.getByRole('complementary', { name: 'Entity' })
const canvas = () => window.page.getByRole('application')

test('themes come first, ranked; one opens beside them with its passages, which lead into the documents', async () => {
  const { page } = window
  const [first] = (await api.getThemes({ workspace_id })).top_entities
  const link = page.locator('ol').getByRole('link').first()
  await link.getByText(first?.name ?? '-', { exact: true }).waitFor()
  await isAccessible()
  await link.click()
  await page.waitForURL(new RegExp(`entity=${first?.id}`))
  await panel()
    .getByRole('heading', { level: 2, name: first?.name ?? '-', exact: true })
    .and(page.locator(':focus'))
    .waitFor()
  await panel().locator('mark').first().waitFor()
  await isAccessible()
  const passage = panel().getByRole('listitem').getByRole('link').last()
  expect(await passage.getAttribute('href')).toMatch(/\/d\/[^?]+\?.*chunk=/)
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
})

test('a relation shows the passages that state it, and leads on to the other entity', async () => {
  const { page } = window
  const { nodes, edges } = await api.getGraph({ workspace_id })
  const [from, to] = [nodes[edges[0]?.source ?? -1], nodes[edges[0]?.target ?? -1]]
  await page.goto(`/w/${workspace_id}/graph?entity=${from?.id}`)
  const relation = panel()
    .getByRole('listitem')
    .filter({ hasText: to?.name ?? '-' })
    .first()
  await relation.getByRole('button', { name: /passage/ }).click()
  await relation.locator('mark').first().waitFor()
  await isAccessible()
  await relation.getByRole('link', { name: to?.name ?? '-', exact: true }).click()
  await panel()
    .getByRole('heading', { level: 2, name: to?.name ?? '-', exact: true })
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Escape')
})

test('the canvas is drawn, moved by keyboard, searched by name and clicked', async () => {
  const { page } = window
  await view('Canvas').click()
  await page.locator('[data-arranged="true"]').waitFor()
  await isAccessible()
  await canvas().focus()
  for (const key of ['+', 'ArrowLeft', 'ArrowUp', '-', '0']) await page.keyboard.press(key)
  const [first] = (await api.getGraph({ workspace_id })).nodes
  await page.getByRole('searchbox', { name: 'Find an entity' }).fill(first?.name.toUpperCase() ?? '-')
  await page.getByRole('link', { name: first?.name ?? '-', exact: true }).click()
  await panel()
    .getByRole('heading', { name: first?.name ?? '-', exact: true })
    .waitFor()
  await isAccessible()
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  await page.getByRole('searchbox', { name: 'Find an entity' }).fill('')
  // What was opened stands in the middle.
  await canvas().click()
  await panel()
    .getByRole('heading', { name: first?.name ?? '-', exact: true })
    .waitFor()
  await page.keyboard.press('Escape')
})

test('the table has the same entities: sorted and filtered by the address, opened by keyboard', async () => {
  const { page } = window
  const { nodes } = await api.getGraph({ workspace_id, limit: 5000 })
  await view('Table').click()
  const table = page.getByRole('table', { name: 'Entities' })
  await table.waitFor()
  expect(await table.getAttribute('aria-rowcount')).toBe(String(nodes.length + 1))
  await table.getByRole('link', { name: 'Name' }).click()
  await page.waitForURL(/sort=name/)
  await table
    .getByRole('columnheader', { name: 'Name' })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor()
  const names = nodes.map(({ name }) => name)
  const order = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
  const [alphabetically] = names.toSorted(order.compare)
  expect(await table.locator('tbody').getByRole('link').first().textContent()).toBe(alphabetically)
  const people = nodes.filter(({ type }) => type === 'person')
  await page.getByRole('list', { name: 'Types' }).getByRole('link', { name: 'person' }).click()
  await page.waitForURL(/type=person/)
  await page.getByText(`${people.length} entities`, { exact: true }).waitFor()
  await isAccessible()
  await table.locator('tbody').getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await panel().waitFor()
  // Sent to a colleague, it shows the same.
  await page.reload()
  await panel().waitFor()
  await page.getByText(`${people.length} entities`, { exact: true }).waitFor()
})

test('pairs that may be one are listed for the whole workspace, and merged from there', async () => {
  const { page } = window
  const [pair] = (await api.listDuplicates({ workspace_id })).data
  if (!pair) throw new Error('no two names are alike')
  await page.goto(`/w/${workspace_id}/graph`)
  await view('Duplicates').click()
  const pairs = page.getByRole('list', { name: 'Entities that may be the same' })
  const merge = pairs.getByRole('button', {
    name: `Merge ${pair.other.name} into ${pair.entity.name}`,
    exact: true,
  })
  await merge.waitFor()
  await isAccessible()
  // On a phone the names are read in full.
  await page.setViewportSize({ width: 390, height: 800 })
  const cutNames = await pairs
    .getByRole('link')
    .evaluateAll((links) => links.filter((link) => link.scrollWidth > link.clientWidth).length)
  expect(cutNames).toBe(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await merge.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
  await merge.waitFor({ state: 'detached' })
  const { entity } = await api.getEntity({ workspace_id, entity_id: pair.other.id })
  expect(entity.id).toBe(pair.entity.id)
  await api.undoMerge({ workspace_id, entity_id: pair.entity.id, merged_id: pair.other.id })
  // Another pair is not the same: it leaves the list at once.
  await page.reload()
  const notTheSame = pairs.getByRole('button', { name: /are not the same$/ }).first()
  const label = (await notTheSame.getAttribute('aria-label')) ?? ''
  await notTheSame.click()
  await pairs.getByRole('button', { name: label, exact: true }).waitFor({ state: 'detached' })
})

test('how two entities are connected is shown step by step, with the passages', async () => {
  const { page } = window
  const { nodes, edges } = await api.getGraph({ workspace_id })
  const edge = edges.find(({ types }) => types.some((type) => type !== 'mentioned_with'))
  const [from, to] = [nodes[edge?.source ?? -1], nodes[edge?.target ?? -1]]
  if (!from || !to) throw new Error('there are no two related entities')
  await page.goto(`/w/${workspace_id}/graph?entity=${from.id}`)
  const panel = page.getByRole('complementary', { name: 'Entity' })
  await panel.getByRole('link', { name: 'How is it connected?' }).click()
  const connection = page.getByRole('region', { name: 'Connection' })
  // The field has the focus, and Enter chooses the best match.
  await connection.locator('input:focus').waitFor()
  // The drawing above it has loaded later, and the section is in view all the same.
  await page.getByRole('region', { name: 'Neighbourhood' }).waitFor()
  const top = (): Promise<number> =>
    connection.evaluate((section) => Math.round(section.getBoundingClientRect().top))
  await expect.poll(top).toBeLessThan(300)
  expect(await top()).toBeGreaterThanOrEqual(0)
  await page.keyboard.type(to.name)
  await connection.getByRole('button', { name: to.name }).first().waitFor()
  await page.keyboard.press('Enter')
  await connection
    .getByRole('heading', { name: 'How is it connected?' })
    .and(page.locator(':focus'))
    .waitFor()
  await connection.getByRole('link', { name: to.name, exact: true }).first().waitFor()
  await connection.locator('mark').first().waitFor()
  expect(page.url()).toContain(`to=${to.id}`)
  await isAccessible()
  await connection.getByRole('button', { name: 'Close' }).click()
  expect(page.url()).not.toContain('to=')
  await connection.getByRole('button', { name: 'Choose the other name' }).click()
  await connection.locator('input:focus').waitFor()
})

test('a reader who scrolls before the drawing is there is not taken elsewhere by it', async () => {
  const { page } = window
  const { nodes, edges } = await api.getGraph({ workspace_id })
  const edge = edges.find(({ types }) => types.some((type) => type !== 'mentioned_with'))
  const from = nodes[edge?.source ?? -1]
  const drawing = /\/assets\/neighbourhood-drawing-/
  let load: () => void = () => undefined
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route(drawing, async (route) => {
    await loaded
    await route.continue()
  })
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.goto(`/w/${workspace_id}/graph/${from?.id}#connection`)
  const heading = page.getByRole('heading', { level: 2, name: from?.name ?? '' })
  await heading.hover()
  await page.mouse.wheel(0, 1)
  await page.mouse.wheel(0, -5000)
  load()
  await page.getByRole('region', { name: 'Neighbourhood' }).waitFor()
  // Where it would be scrolled, that is in the next frames.
  await page.waitForTimeout(300)
  expect((await heading.boundingBox())?.y).toBeGreaterThan(0)
  await page.unroute(drawing)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('two entities are merged after one question; the merge is undone in its message and on the page', async () => {
  const { page } = window
  const [into, other] = (await api.getThemes({ workspace_id })).top_entities
  if (!into || !other) throw new Error('there are no two entities')
  await page.goto(`/w/${workspace_id}/graph/${into.id}`)
  const names = page.getByRole('region', { name: 'Names' })
  const mergeByHand = async (): Promise<void> => {
    await names.getByRole('button', { name: 'Merge another entity' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name of the other entity').fill(other.name)
    await dialog.getByRole('button', { name: other.name }).first().click()
    await isAccessible()
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click()
    await names.getByRole('list', { name: 'Merged names' }).getByText(other.name, { exact: true }).waitFor()
  }
  await mergeByHand()
  expect((await api.getEntity({ workspace_id, entity_id: other.id })).entity.id).toBe(into.id)
  await isAccessible()
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await names.getByRole('list', { name: 'Kept apart' }).getByText(other.name, { exact: true }).waitFor()
  expect((await api.getEntity({ workspace_id, entity_id: other.id })).entity.id).toBe(other.id)
  await names.getByRole('button', { name: `Merge again: ${other.name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()
  await names.getByRole('button', { name: `Undo the merge of ${other.name}` }).click()
  await names.getByRole('list', { name: 'Kept apart' }).getByText(other.name, { exact: true }).waitFor()
  await isAccessible()
})

/** Eight short texts on two subjects. */
const SUBJECTS = [
  [
    'Corrigan Estates lets the premises in Aldermouth to the tenant for a rent of 900 a month.',
    'The tenant pays a deposit to Corrigan Estates before the keys of the premises are handed over.',
    'Corrigan Estates may end the lease with a written notice if the tenant does not pay the rent.',
    'When the lease ends, the tenant returns the keys and the deposit is paid back by Corrigan Estates.',
  ],
  [
    'The gauge measures the water level in the harbour with a pressure sensor, says Ingrid Solheim.',
    'Ingrid Solheim calibrates every pressure sensor of the gauge in the water of the harbour.',
    'A sensor of the gauge that has lost its calibration shows a water level that is too high in the harbour.',
    'Before the gauge is put into the water, Ingrid Solheim reads the pressure of its sensor in the harbour.',
  ],
]

test('the graph opens on groups of documents, whose sentence, names and documents lead on', async () => {
  const { page } = window
  const { id } = await api.createWorkspace({ name: 'Two subjects' })
  const files = SUBJECTS.flatMap((texts, subject) =>
    texts.map((text, i) => ({ name: `note-${subject}-${i}.txt`, content: new Blob([text]) })),
  )
  const job = await api.upload({ workspace_id: id, files })
  for await (const { event } of api.jobEvents({ job_id: job.id })) if (event === 'complete') break
  await page.goto(`/w/${id}/graph`)
  const cards = page.getByRole('region', { name: 'Groups of documents' }).locator('blockquote')
  await cards.first().waitFor()
  expect(await cards.count()).toBe(2)
  await isAccessible()
  await page.getByRole('list', { name: 'Names' }).getByRole('link', { name: 'Corrigan Estates' }).click()
  await panel().getByRole('heading', { name: 'Corrigan Estates', exact: true }).waitFor()
  await panel().getByRole('link', { name: 'Neighbourhood' }).click()
  await page.waitForURL(/\/graph\/[0-9a-f-]+$/)
  await page.goBack()
  await cards.first().getByRole('link').click()
  await page.waitForURL(/\/d\/[^?]+\?.*chunk=/)
  // A name that is looked for takes the place of the groups.
  await page.goto(`/w/${id}/graph?q=Solheim`)
  await page
    .getByRole('link', { name: /Ingrid Solheim/ })
    .first()
    .waitFor()
  expect(await cards.count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Similar or related' }).count()).toBe(0)
  // Names that the service finds by a likeness are not shown as if they had the typed text.
  await page.goto(`/w/${id}/graph?q=Solhiem`)
  const related = page.getByRole('region', { name: 'Similar or related' })
  await related.getByText('No entity has this name').waitFor()
  await related
    .getByRole('link', { name: /Ingrid Solheim/ })
    .first()
    .waitFor()
  await isAccessible()
})

test('the neighbourhood of a name is drawn; a plus shows the relations of another, which is opened by keyboard', async () => {
  const { page } = window
  const { nodes, edges } = await api.getGraph({ workspace_id })
  const edge = edges.find(({ types }) => types.some((type) => type !== 'mentioned_with'))
  const [from, to] = [nodes[edge?.source ?? -1], nodes[edge?.target ?? -1]]
  if (!from || !to) throw new Error('there are no two related entities')
  await page.goto(`/w/${workspace_id}/graph/${from.id}`)
  const drawing = page.getByRole('region', { name: 'Neighbourhood' })
  const link = drawing.getByRole('link', { name: to.name, exact: true })
  await link.waitFor()
  await isAccessible()
  const names = drawing.getByRole('link')
  const count = await names.count()
  const buttons = drawing.getByRole('button', { name: /relations of/ })
  // Some names have no relation to others: one after the other is expanded until names are added.
  for (let i = 0; i < count && (await names.count()) === count; i++) {
    const name = (await buttons.nth(i).getAttribute('aria-label'))?.replace('Show relations of ', '') ?? ''
    const loaded = page.waitForResponse((response) => /\/entities\/[0-9a-f-]+\?/.test(response.url()))
    await buttons.nth(i).click()
    await loaded
    await drawing.getByRole('button', { name: `Hide relations of ${name}`, exact: true }).waitFor()
  }
  expect(await names.count()).toBeGreaterThan(count)
  expect(await names.count()).toBeLessThan(40)
  await isAccessible()
  // The service fails for another name: the page says so, and loads it when asked again.
  const other = drawing.getByRole('button', { name: /^Show relations of/ }).first()
  const otherName = (await other.getAttribute('aria-label'))?.replace('Show relations of ', '') ?? ''
  await page.route(/\/entities\/[0-9a-f-]+\?/, (route) => route.fulfill({ status: 500, body: '{}' }))
  await other.click()
  const alert = drawing.getByRole('alert')
  await alert.getByText(`The relations of ${otherName} could not be loaded.`).waitFor()
  await isAccessible()
  await page.unroute(/\/entities\/[0-9a-f-]+\?/)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor({ state: 'detached' })
  // The browser reports the answer 500 as an error.
  const errors = window.errors.splice(0)
  expect(errors.length).toBeGreaterThan(0)
  expect(errors.every((error) => /status of 500/.test(error))).toBe(true)
  await link.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/graph/${to.id}`))
  await page
    .getByRole('heading', { level: 2, name: to.name, exact: true })
    .and(page.locator(':focus'))
    .waitFor()
  await drawing.getByRole('link', { name: from.name, exact: true }).waitFor()
})

test('who may only read sees the names, and no button that merges', async () => {
  const [into] = (await api.getThemes({ workspace_id })).top_entities
  const reader = await service.another()
  await api.putMember({ workspace_id, email: reader.email, role: 'viewer' })
  const theirs = await openWindow(service.origin)
  await theirs.page.goto(`/w/${workspace_id}/graph/${into?.id}`)
  await signIn(theirs.page, reader)
  await theirs.page.getByRole('list', { name: 'Kept apart' }).waitFor()
  expect(await theirs.page.getByRole('button', { name: /Merge|Undo/ }).count()).toBe(0)
  expect(theirs.errors).toEqual([])
})

test('on a phone the place of the page is in view, and no text passes under the button of the list', async () => {
  const { page } = window
  await page.setViewportSize({ width: 330, height: 700 })
  await page.goto(`/w/${workspace_id}/settings`)
  const places = page.getByRole('navigation', { name: 'Places of the workspace' })
  await places.getByRole('link', { name: 'Activity' }).waitFor()
  const place = await places.getByRole('link', { name: 'Settings' }).boundingBox()
  if (!place) throw new Error('the place of the page is not shown')
  expect(place.x).toBeGreaterThanOrEqual(0)
  expect(place.x + place.width).toBeLessThanOrEqual(330)
  await page.goto('/settings')
  await page.getByRole('heading', { name: 'Delete your account' }).scrollIntoViewIfNeeded()
  expect(await page.evaluate('document.elementFromPoint(80, 20).textContent')).toBe('')
  // What is scrolled into view, such as a field that gets the focus, stands below the bar.
  const top = await page
    .getByRole('heading', { level: 2 })
    .first()
    .evaluate((heading) => {
      heading.scrollIntoView({ block: 'start' })
      return heading.getBoundingClientRect().top
    })
  expect(top).toBeGreaterThanOrEqual(48)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors).toEqual([])
})
