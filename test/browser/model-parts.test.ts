// From a fresh start to a search by an embeddings server, in the browser alone; and the other servers of the page of models.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddingsServer, embeddingsServer } from '../support/embeddings-server.ts'
import { type RecognisingServer, recognisingServer } from '../support/ocr-server.ts'
import { quickService } from '../support/quick-service.ts'
import { type RerankingServer, rerankingServer } from '../support/rerank-server.ts'
import type { Service } from '../support/service.ts'
import { closeWindows, expectAccessible, openWindow, type Window } from './browser.ts'

const PERSON = { email: 'warden@example.org', password: 'a quiet harbour at dusk' }
const KEY = 'sk-marble-0815'
const HANDBOOK = '# Harbour rules\n\nThe east quay closes at eleven at night.'

let service: Service
let window: Window
let embeddings: EmbeddingsServer
let reranker: RerankingServer
let ocr: RecognisingServer
beforeAll(async () => {
  embeddings = await embeddingsServer(64)
  // A word that no other part of Kenning knows.
  Object.assign(embeddings, { models: ['bge-m3'], key: KEY, meanings: { plimforth: 'quay' } })
  reranker = await rerankingServer()
  ocr = await recognisingServer()
  service = await quickService({
    env: {
      KENNING_PICTURE_TEXT: 'off',
      KENNING_ADMIN_EMAIL: '',
      KENNING_ADMIN_PASSWORD: '',
      KENNING_PRIVATE_NETWORKS: '127.0.0.1',
    },
  })
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  await service?.remove()
  await embeddings?.close()
  await reranker?.close()
  await ocr?.close()
})

const formOf = (name: string) => window.page.getByRole('form', { name })

test('an embeddings server is set from a fresh start, and a search finds by it', async () => {
  const { page } = window
  await page.goto(/http:\S+\/setup\?token=[\w-]+/.exec(service.output())?.[0] ?? '')
  await page.getByLabel('Email address').fill(PERSON.email)
  await page.getByLabel('Password, at least 12 characters').fill(PERSON.password)
  await page.getByLabel('Repeat the password').fill(PERSON.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('Name').fill('Tidewick')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  const file = { name: 'rules.md', mimeType: 'text/markdown', buffer: Buffer.from(HANDBOOK) }
  await page.getByLabel('Files to upload').setInputFiles([file])
  await page.getByText('1 file searchable', { exact: true }).waitFor()
  const workspace = new URL(page.url()).pathname.replace(/\/documents$/, '')

  await page.goto('/models')
  await page.getByText('Now the model that comes with Kenning is used').waitFor()
  await page.getByRole('button', { name: 'Choose a server: Search by meaning' }).click()
  const form = formOf('Embeddings')
  await form.getByLabel('Provider').selectOption('Another server')
  // As people copy it: without scheme and /v1.
  await form.getByLabel('Address').fill(new URL(embeddings.url).host)
  await form.getByLabel('Key, if it needs one').fill('wrong')
  await form.getByLabel('Key, if it needs one').blur()
  await form.getByText('enter it again').waitFor()
  await form.getByLabel('Key, if it needs one').fill(KEY)
  await form.getByLabel('Key, if it needs one').blur()
  await form.getByRole('combobox', { name: 'Model', exact: true }).selectOption('bge-m3')
  expect(await form.getByLabel('Address').inputValue()).toBe(embeddings.url)
  expect(await form.getByRole('button', { name: 'Use this model' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Try it' }).click()
  await form.getByText('bge-m3 answers with vectors of 64 numbers.').waitFor()
  await form.getByText(/passages? needs? new vectors/).waitFor()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Use this model' }).click()
  await page.getByText('It finds passages by their meaning.').waitFor()
  expect(await page.content()).not.toContain(KEY)

  // The vectors come in the background.
  const result = page.getByText('The east quay closes at eleven at night.')
  await expect
    .poll(
      async () => {
        await page.goto(`${workspace}/search?q=plimforth`)
        return result.first().isVisible({ timeout: 2000 })
      },
      { timeout: 60_000 },
    )
    .toBe(true)
})

test('a reranker, an OCR server and a budget are set and removed', async () => {
  const { page } = window
  await page.goto('/models')
  await page.getByRole('button', { name: 'Choose a server: Order of results' }).click()
  const form = formOf('Reranker')
  await form.getByLabel('Provider').selectOption('Another server')
  await form.getByLabel('Address').fill(reranker.url)
  await form.getByLabel('Model', { exact: true }).fill('m')
  await form.getByRole('button', { name: 'Try it' }).click()
  await form.getByText('The 50 passages of a search took').waitFor()
  await form.getByRole('button', { name: 'Use this model' }).click()
  await page.getByText('It orders the best passages of each search.').waitFor()

  await page.getByRole('button', { name: 'Choose a server: Text recognition' }).click()
  await formOf('Text recognition').getByLabel('Address').fill(ocr.url)
  await formOf('Text recognition').getByRole('button', { name: 'Try it' }).click()
  await page.getByText('It reads the words of an image.').waitFor()
  await formOf('Text recognition').getByRole('button', { name: 'Use this server' }).click()
  await page.getByText('It reads scans and pictures.', { exact: true }).waitFor()

  const budget = formOf('Budget of the graph')
  await budget.getByLabel('Tokens that the graph of a workspace may use').fill('2000000')
  await budget.getByRole('button', { name: 'Set the budget' }).click()
  await page.getByText('with up to 2,000,000 tokens in each workspace').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Remove', exact: true }).last().click()
  await page
    .getByRole('dialog')
    .or(page.getByRole('alertdialog'))
    .getByRole('button', { name: 'Remove' })
    .click()
  await page.getByRole('button', { name: 'Choose a server: Text recognition' }).waitFor()
  expect(window.errors).toEqual([])
})
