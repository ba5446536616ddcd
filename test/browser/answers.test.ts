// Answers and results that can be taken apart: feedback, conversations, the inspector, saved questions, links to passages.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvaluationLine } from '../../src/contract/evaluation.ts'
import type { SearchResults, Workspace } from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../support/client.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

// More than a page of the list.
const GREETINGS = 130

let service: SharedService
let window: Window
let client: Client
let workspace: string
beforeAll(async () => {
  service = await sharedService()
  client = makeClient(service.base, service.token)
  workspace = (await client.post<Workspace>('/workspaces', { name: 'Tidewick' })).id
  const names = ['lease-amendment-1.docx', 'lease-ropewalk-yard.pdf', 'staff-handbook.md', 'suppliers.csv']
  const files = names.map((name) => ({ name, bytes: readFileSync(`examples/${name}`) }))
  await client.done((await client.upload(workspace, files)).id)
  window = await openWindow(service.origin)
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

const isAccessible = (): Promise<void> => expectAccessible(window.page)

async function ask(question: string): Promise<void> {
  const { page } = window
  await page.getByLabel('Your question').fill(question)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: question }).waitFor()
  await page.getByRole('button', { name: 'This helped' }).last().waitFor()
}

test('a link to a passage asks for sign-in and then leads exactly there', async () => {
  const { page } = window
  const search = { query: 'notice period of the lease' }
  const { data } = await client.post<SearchResults>(`/workspaces/${workspace}/search`, search)
  const paged = data.find((chunk) => chunk.page)
  const link = paged?.source_url ?? ''
  expect(link).toBe(
    `${service.origin}/w/${workspace}/d/${paged?.document_id}?page=${paged?.page}&chunk=${paged?.id}`,
  )
  await page.goto(link)
  await page.waitForURL(/\/sign-in\?next=/)
  await signIn(page, service.account)
  await page.waitForURL(link)
  await page.locator('section[aria-current="true"]').waitFor()
})

test('“Why this result?” beside a result shows the words, the steps and the passage as indexed', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}/search?q=notice+period`)
  await page.getByRole('button', { name: 'Why this result?' }).first().click()
  const panel = page.getByRole('complementary', { name: 'Why this result?' })
  await panel.getByText(/^The passage has “period” and “notice” in its text\./).waitFor()
  await panel.getByText('Details').click()
  await panel.getByRole('cell', { name: 'notice', exact: true }).waitFor()
  await panel.getByRole('region', { name: 'The passage as indexed' }).waitFor()
  await isAccessible()
  await page.getByRole('link', { name: 'Inspect this search' }).click()
  await page.waitForURL(/\/inspect\?q=notice/)
  await page.getByRole('region', { name: 'How the query was read' }).getByText('notice period').waitFor()
  await isAccessible()
})

test('a result is saved as an evaluation question, listed, and exported', async () => {
  const { page } = window
  await page.getByRole('button', { name: 'Why this result?' }).first().click()
  await page.waitForURL(/why=/)
  await page.getByText('Details', { exact: true }).click()
  await page.getByRole('button', { name: 'Save as an evaluation question' }).click()
  await page.getByRole('button', { name: 'Saved' }).waitFor()
  const saved = page.getByRole('region', { name: 'Evaluation questions' })
  await saved.getByRole('link', { name: 'notice period' }).waitFor()
  await isAccessible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export evaluation questions' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('evaluation-set.jsonl')
  const line: EvaluationLine = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(line).toMatchObject({ text: 'notice period', source: 'saved' })
  await saved.getByRole('button', { name: 'Delete the evaluation question “notice period”' }).click()
  await saved.getByText('None yet.').waitFor()
})

test('feedback on an answer is kept, with a note, and can be taken back', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}`)
  await ask('How much notice must the tenant give to end the lease?')
  await page.getByRole('button', { name: 'This is wrong' }).click()
  await page.getByLabel('Note on this answer').fill('It is three months since the amendment.')
  await page.getByRole('button', { name: 'Save note' }).click()
  await page.getByText('Your note was saved.').waitFor()
  await isAccessible()
  await page.reload()
  const note = page.getByLabel('Note on this answer')
  await note.waitFor()
  expect(await note.inputValue()).toBe('It is three months since the amendment.')
  await page.getByRole('button', { name: 'This is wrong', pressed: true }).click()
  await note.waitFor({ state: 'detached' })
})

test('the value that is asked for stands above the sentence, in which it is marked', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}`)
  await ask('How long does the laboratory keep certificates?')
  const answer = page.getByRole('article').last()
  const value = answer.getByRole('paragraph').first()
  expect(await value.textContent()).toMatch(/^ten years/)
  await value.getByRole('button', { name: /^Source 1: Staff handbook/ }).waitFor()
  const markInQuote = answer.getByRole('listitem').first().locator('mark')
  expect(await markInQuote.allTextContents()).toEqual(['ten years'])
  await isAccessible()
  await page.reload()
  await markInQuote.waitFor()
})

test('“back” closes a source, as its button does, and the answer to a follow-up stands in view', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}`)
  await ask('How long does the laboratory keep certificates?')
  const mark = page
    .getByRole('article')
    .last()
    .getByRole('button', { name: /^Source 1/ })
    .first()
  const source = page.getByRole('complementary', { name: 'Source' })
  await mark.click()
  await source.waitFor()
  await page.goBack()
  await source.waitFor({ state: 'detached' })
  await mark.click()
  await source.getByRole('button', { name: 'Close' }).click()
  await source.waitFor({ state: 'detached' })
  await mark.waitFor()
  await page.goForward()
  await source.waitFor()
  await page.goBack()
  await source.waitFor({ state: 'detached' })
  await ask('How much notice must the tenant give to end the lease?')
  const lastLine = page.getByRole('article').last().getByRole('listitem').last()
  await lastLine.waitFor()
  const height = page.viewportSize()?.height ?? 0
  const bottom = async (): Promise<number> => {
    const box = await lastLine.boundingBox()
    return box ? box.y + box.height : Number.POSITIVE_INFINITY
  }
  await expect.poll(bottom, { timeout: 20_000 }).toBeLessThan(height)
})

test('nothing that was read moves when the stored answer takes the place of the one that has just come', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}`)
  await page.getByLabel('Your question').waitFor()
  const isThread = /\/threads\/[0-9a-f-]+\?/
  await page.route(isThread, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  // Where the line of the sentence stands in each frame in which it is there.
  await page.evaluate(`(() => {
    globalThis.heights = []
    const look = () => {
      const line = document.querySelector('article .reading p')
      if (line) heights.push(Math.round(line.getBoundingClientRect().top))
      requestAnimationFrame(look)
    }
    look()
  })()`)
  await ask('How long does the laboratory keep certificates?')
  await page.unroute(isThread)
  const heights = await page.evaluate<number[]>('heights')
  // The answer was on the page before the thread had loaded.
  expect(heights.length).toBeGreaterThan(5)
  expect([...new Set(heights)]).toHaveLength(1)
})

test('an answer is copied as Markdown with its numbered sources and their addresses', async () => {
  const { page } = window
  await page.getByRole('button', { name: 'Copy with sources' }).click()
  await page.getByText('Answer and sources were copied.').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toMatch(
    /\[1\][\s\S]*\n\nSources:\n\n1\. \[.+\]\(http:\/\/127\.0\.0\.1:\d+\/w\/[\w-]+\/d\/[\w-]+\?/,
  )
})

test('a follow-up that is typed while the first answer is on its way stays, and so does the focus', async () => {
  const { page } = window
  let isTyped: () => void = () => undefined
  const typed = new Promise<void>((resolve) => {
    isTyped = resolve
  })
  await page.goto(`/w/${workspace}`)
  const field = page.getByRole('textbox', { name: 'Your question' })
  await page.getByRole('heading', { name: 'Ask the documents' }).waitFor()
  // Whoever opens the page can type.
  await page.keyboard.type('How long is the working week?')
  await page.route(/\/ask$/, async (route) => {
    await typed
    await route.continue()
  })
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'How long is the working week?' }).waitFor()
  await page.keyboard.type('And who pays overtime?')
  isTyped()
  await page.getByRole('button', { name: 'This helped' }).waitFor()
  await page.waitForURL(/thread=/)
  await page.unrouteAll({ behavior: 'wait' })
  expect(await field.inputValue()).toBe('And who pays overtime?')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'And who pays overtime?' }).waitFor()
  await page.getByRole('button', { name: 'This helped' }).nth(1).waitFor()
  // Another conversation begins with an empty field.
  await field.fill('Half a question')
  await page.getByRole('link', { name: 'New question' }).click()
  await page.getByRole('heading', { name: 'Ask the documents' }).waitFor()
  expect(await field.inputValue()).toBe('')
})

test('a question of the palette stands in the field, to be asked', async () => {
  const { page } = window
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Who is the landlord?')
  await page.getByRole('option', { name: 'Ask “Who is the landlord?”' }).click()
  await page.waitForURL(/q=Who/)
  const field = page.getByRole('textbox', { name: 'Your question' })
  await expect.poll(() => field.inputValue()).toBe('Who is the landlord?')
  await field.press('Enter')
  await page.getByRole('button', { name: 'This helped' }).waitFor()
})

test('what the documents do not say is framed, with the closest passages', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}`)
  await ask('How much is the Wi-Fi password of the moon office?')
  const framed = page.getByRole('region', { name: 'Not in the documents' })
  await framed.getByRole('heading', { name: 'Closest passages' }).waitFor()
  await framed.getByRole('listitem').first().waitFor()
  await isAccessible()
})

test('an answer that has come is shown although its conversation cannot be loaded', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}`)
  const isThread = /\/threads\/[0-9a-f-]+\?/
  await page.route(isThread, (route) => route.fulfill({ status: 500, body: '' }))
  const question = 'How much is the Wi-Fi password of the moon office?'
  await page.getByLabel('Your question').fill(question)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await page.getByRole('article').locator('.reading p').first().waitFor()
  await page.unroute(isThread)
  // The browser tells of every answer that is an error.
  const told = window.errors.splice(0)
  expect(told.length).toBeGreaterThan(0)
  expect(told.filter((error) => !/status of 500/.test(error))).toEqual([])
})

test('conversations are renamed and deleted; of many only those in view are in the page', async () => {
  const { page } = window
  for (let i = 0; i < GREETINGS; i++)
    await client.post(`/workspaces/${workspace}/ask`, { question: i === 0 ? 'Hello there' : 'Hello' })
  await page.goto(`/w/${workspace}`)
  const list = page.getByRole('navigation', { name: 'Conversations' })
  const rows = list.getByRole('listitem')
  await rows.first().waitFor()
  const scrollToEnd = () =>
    list.locator('ul').evaluate((element) => element.parentElement?.scrollTo(0, element.scrollHeight))
  const oldest = list.getByRole('link', { name: /^How much notice/ })
  await expect
    .poll(async () => {
      await scrollToEnd()
      return oldest.isVisible()
    })
    .toBe(true)
  expect(Number(await rows.last().getAttribute('aria-setsize'))).toBe(GREETINGS + 8)
  expect(await rows.count()).toBeLessThan(60)
  await list.getByRole('button', { name: 'Rename “Hello there”' }).click()
  await list.getByLabel('Name of the conversation').fill('A greeting')
  await page.keyboard.press('Enter')
  await list.getByRole('link', { name: /^A greeting/ }).waitFor()
  const hasFocus = (name: RegExp) =>
    expect.poll(() => list.getByRole('link', { name }).evaluate((link) => link.matches(':focus'))).toBe(true)
  await hasFocus(/^A greeting/)
  await isAccessible()
  await list.getByRole('button', { name: 'Delete “A greeting”' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this conversation?' })
  await question.waitFor()
  await isAccessible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await list.getByRole('link', { name: /^A greeting/ }).waitFor({ state: 'detached' })
  await hasFocus(/^New question/)
})

test('the list of conversations folds by button and key, and stays folded', async () => {
  const { page } = window
  await page.goto(`/w/${workspace}`)
  const list = page.getByRole('navigation', { name: 'Conversations' })
  const show = page.getByRole('button', { name: 'Conversations', exact: true })
  await list.getByRole('listitem').first().waitFor()
  await list.getByRole('button', { name: 'Fold the conversations' }).click()
  await list.waitFor({ state: 'detached' })
  await page.waitForFunction("document.activeElement.textContent.trim() === 'Conversations'")
  await page.reload()
  await show.waitFor()
  expect(await list.count()).toBe(0)
  await isAccessible()
  await page.getByLabel('Your question').blur()
  await page.keyboard.press('c')
  await list.getByRole('listitem').first().waitFor()
  await page.keyboard.press('c')
  await list.waitFor({ state: 'detached' })
  await show.click()
  await list.waitFor()
})

test('on a phone the conversations are a sheet that takes the focus and returns it', async () => {
  const { page } = window
  await page.setViewportSize({ width: 390, height: 800 })
  const show = page.getByRole('button', { name: 'Conversations', exact: true })
  await show.click()
  const list = page.getByRole('navigation', { name: 'Conversations' })
  await list.getByRole('link', { name: 'New question' }).and(page.locator(':focus')).waitFor()
  await isAccessible()
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  await show.and(page.locator(':focus')).waitFor()
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors).toEqual([])
})
