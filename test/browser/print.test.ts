// A conversation on paper or as PDF: what the browser prints, read back.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer, Workspace } from '../../src/contract/resources.ts'
import { type Client, makeClient } from '../support/client.ts'
import { parseBytes } from '../support/files/parse.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, openWindow, signIn, type Window } from './browser.ts'

const QUESTION = 'How much notice must the tenant give to end the lease?'
const UNANSWERABLE = 'What is the boiling point of tungsten?'

let service: SharedService
let window: Window
let client: Client
let workspace: string
let first: Answer
beforeAll(async () => {
  service = await sharedService()
  client = makeClient(service.base, service.token)
  workspace = (await client.post<Workspace>('/workspaces', { name: 'Tidewick' })).id
  const names = ['lease-amendment-1.docx', 'lease-ropewalk-yard.pdf']
  const files = names.map((name) => ({ name, bytes: readFileSync(`examples/${name}`) }))
  await client.done((await client.upload(workspace, files)).id)
  const ask = (body: object) => client.post<Answer>(`/workspaces/${workspace}/ask`, body)
  first = await ask({ question: QUESTION })
  await ask({ question: UNANSWERABLE, thread_id: first.thread_id })
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

/** Without white space, and with the quotation marks that the PDF's text has. */
const squeeze = (text: string): string => text.replace(/\s+/g, '').replace(/[“”]/g, '"').replace(/[‘’]/g, "'")

/** The text of what is printed, without white space: lines and long addresses break anywhere. */
async function printedText(): Promise<string> {
  const { blocks } = await parseBytes('pdf', await window.page.pdf({ preferCSSPageSize: true }))
  return squeeze(blocks.map(({ text }) => text).join(' '))
}

function expectConversation(text: string): void {
  expect(text).toContain(squeeze(QUESTION))
  expect(text).toContain(squeeze(UNANSWERABLE))
  expect(text).toMatch(/20\d\d-\d\d-\d\d\d\d:\d\dUTC/)
  expect(first.citations.length).toBeGreaterThan(1)
  expect(first.citations.some(({ page }) => page)).toBe(true)
  for (const { number, document_title, page, text: passage, source_url } of first.citations) {
    const source = `[${number}] ${document_title}${page ? `, page ${page}` : ''}`
    expect(text).toContain(squeeze(source))
    const paragraphs = passage.split('\n').filter((line) => line.length > 40)
    expect(paragraphs.some((line) => text.includes(squeeze(line).slice(0, 200)))).toBe(true)
    expect(text).toContain(source_url)
    expect(text.split(`[${number}]`).length, 'the mark in the answer, and the source').toBeGreaterThan(2)
  }
}

/** What stands on the page and not on paper. */
const CONTROLS = [
  'Switch theme',
  'New question',
  'Copy with sources',
  'This helped',
  'Word',
  'Closest passages',
]

test('a conversation is printed as questions, answers and numbered sources, without the rest of the page', async () => {
  const { page } = window
  const path = `/w/${workspace}?thread=${first.thread_id}`
  await page.goto(path)
  await page.waitForURL(/\/sign-in\?next=/)
  await signIn(page, service.account)
  await page.getByRole('region', { name: 'Not in the documents' }).waitFor()
  await page
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .click()
  await page.getByRole('complementary', { name: 'Source' }).waitFor()
  const text = await printedText()
  expectConversation(text)
  for (const control of CONTROLS) expect(text).not.toContain(squeeze(control))
})

test('a shared conversation is printed like one of the reader’s own', async () => {
  const { page } = window
  const reply = await client.call('PUT', `/workspaces/${workspace}/threads/${first.thread_id}/share`)
  expect(reply.status).toBeLessThan(300)
  await page.goto(`/w/${workspace}/shared/${first.thread_id}`)
  await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor()
  // The code that draws Markdown is loaded after the page.
  await page.getByText('changes an earlier text').waitFor()
  await page.getByText('I did not find this in the documents').waitFor()
  const text = await printedText()
  expectConversation(text)
  for (const control of [...CONTROLS, 'Stop sharing']) expect(text).not.toContain(squeeze(control))
})

test('the button prints, and a PDF gets the name of the conversation', async () => {
  const { page } = window
  const title = await page.title()
  await page.evaluate('print = () => { globalThis.printedTitle = document.title }')
  await page.getByRole('button', { name: 'Print or save as PDF' }).click()
  expect(await page.evaluate('printedTitle')).toBe('How much notice must the tenant give to end the lease')
  await page.evaluate("dispatchEvent(new Event('afterprint'))")
  expect(await page.title()).toBe(title)
})
