// What leads to the first question: the way from the upload bar, and questions that the documents answer.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Workspace } from '../../src/contract/resources.ts'
import { makeClient } from '../support/client.ts'
import { type SharedService, sharedService } from '../support/shared-service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let service: SharedService
let window: Window
let workspace: string
beforeAll(async () => {
  service = await sharedService()
  const client = makeClient(service.base, service.token)
  workspace = (await client.post<Workspace>('/workspaces', { name: 'Allotments' })).id
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  service?.leave()
})

const PAPERS = {
  'agreement.md': '# Agreement for plot 14\n\n## Rent\n\nThe rent is £48 a year.\n',
  'rules.md':
    '# Rules of the gardens\n\n## May I light a bonfire?\n\nBonfires are allowed in November, after four.\n',
  'people.csv': 'Name,Role\nHarriet Bowes,Secretary\nColm Feeney,Caretaker\n',
}

test('after an upload the bar leads to Ask, where a suggested question has a cited answer', async () => {
  const { page, errors } = window
  await page.goto(`/w/${workspace}/documents`)
  await signIn(page, service.account)
  await page.getByLabel('Files to upload').setInputFiles(
    Object.entries(PAPERS).map(([name, text]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })),
  )
  await page.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'Ask about them' }).click()
  await page.waitForURL(`/w/${workspace}`)
  const suggested = page.getByRole('list', { name: 'Suggested questions' })
  await suggested.getByRole('button').nth(2).waitFor()
  await page.getByText('Answers are quotations from the documents.').waitFor()
  await expectAccessible(page)
  const questions = await suggested.getByRole('button').allTextContents()
  expect(questions.toSorted()).toEqual([
    'How much is the rent?',
    'May I light a bonfire?',
    'Who is the secretary?',
  ])
  await suggested.getByRole('button', { name: 'How much is the rent?' }).click()
  await page.getByRole('heading', { name: 'How much is the rent?' }).waitFor()
  await page.getByText('£48 a year').first().waitFor()
  expect(errors).toEqual([])
})
