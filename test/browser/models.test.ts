// From a fresh start to the answer of a model in the browser alone; and what the page says about a wrong key, a wrong address, a
// model without tools and a short context.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ollama, ollamaWithoutTools } from '../models/ollama.ts'
import { trialReply } from '../models/trial-model.ts'
import {
  type ChatRequest,
  type ChatServer,
  chatServer,
  type ScriptedReply,
  type ServerKind,
  STANDARD,
} from '../support/chat-server.ts'
import { quickService } from '../support/quick-service.ts'
import type { Service } from '../support/service.ts'
import { closeWindows, expectAccessible, openWindow, type Window } from './browser.ts'

const PERSON = { email: 'keeper@example.org', password: 'a quiet harbour at dawn' }
const KEY = 'sk-lantern-0815'
const HANDBOOK =
  '# Harbour rules\n\nThe east quay closes at eleven at night. Ships wait at the buoy of Sorrel Point.'

let service: Service
let window: Window
let chat: ChatServer | undefined
beforeAll(async () => {
  service = await quickService({
    env: {
      KENNING_PICTURE_TEXT: 'off',
      KENNING_ADMIN_EMAIL: '',
      KENNING_ADMIN_PASSWORD: '',
      // The servers of tests have no port of their own that is usual.
      KENNING_PRIVATE_NETWORKS: '127.0.0.1',
    },
  })
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  await service?.remove()
})
afterEach(async () => {
  await chat?.close()
  chat = undefined
})

async function open(kind: ServerKind): Promise<ChatServer> {
  chat = await chatServer(kind)
  chat.answer = modelOf
  return chat
}

/** A model that passes the trial as far as its server lets it, and answers from the passages that it is shown. */
function modelOf(request: ChatRequest): ScriptedReply {
  const reply = trialReply(request)
  if (reply) return reply
  const whole = request.messages.map(({ content }) => content ?? '').join('\n')
  const number = [...whole.slice(0, whole.indexOf('closes at eleven')).matchAll(/^\[(\d+)\] D/gm)].at(-1)?.[1]
  return { text: `Every night at eleven the east quay closes [${number}].` }
}

/** Opens the form with a server that is none of the known ones, and fills it. */
async function fillForm({ url, key, model }: { url: string; key?: string; model: string }): Promise<void> {
  const { page } = window
  await page.goto('/models')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Provider').selectOption('Another server')
  await page.getByLabel('Address').fill(url)
  if (key) await page.getByLabel('Key, if it needs one').fill(key)
  await page.getByLabel('Model', { exact: true }).fill(model)
}

const tryIt = (): Promise<void> =>
  window.page.getByRole('form', { name: 'Language model' }).getByRole('button', { name: 'Try it' }).click()

test('a fresh start leads to the answer of a model without a shell', async () => {
  const { url } = await open(ollama)
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
  const workspace = new URL(page.url()).pathname

  await page.getByRole('link', { name: 'Models' }).click()
  await page.getByRole('heading', { name: 'Models', exact: true }).waitFor()
  await page.getByLabel('Provider').selectOption('Ollama')
  await expectAccessible(page)
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('Address').blur()
  // Of the server's own list.
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('m')
  await tryIt()
  // Ollama's own setting of 4,096 tokens.
  await page.getByText('OLLAMA_CONTEXT_LENGTH=16384').nth(1).waitFor()
  await page.getByText('It answers in the structure that it is asked for.').waitFor()
  expect(await page.getByText('It uses tools, and what they find.').count()).toBe(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use this model' }).click()
  await page.getByText('m answers questions from now on.').waitFor()
  await page.getByText('It answers questions.').waitFor()
  await expectAccessible(page)

  await page.goto(workspace.replace(/\/documents$/, ''))
  await page.getByLabel('Your question').fill('When does the east quay close?')
  await page.keyboard.press('Enter')
  await page.getByText('Every night at eleven the east quay closes').waitFor()
  await page
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .waitFor()
})

test('a wrong key says to enter it again, and is not shown once it is stored', async () => {
  const { url } = await open({
    ...STANDARD,
    refuse: (_request, { authorization }) =>
      authorization === `Bearer ${KEY}`
        ? undefined
        : { status: 401, body: '{"error":{"message":"bad key"}}' },
  })
  const { page } = window
  await fillForm({ url, key: 'wrong', model: 'm' })
  await tryIt()
  await page.getByText('Copy the whole key from the provider and enter it again.').waitFor()
  await page.getByLabel('Key, if it needs one').fill(KEY)
  await tryIt()
  await page.getByText('It uses tools, and what they find.').waitFor()
  await page.getByText('It answers in the structure that it is asked for.').waitFor()
  await page.getByRole('button', { name: 'Use this model' }).click()
  await page.getByText('Its key is stored encrypted and is not shown again.').waitFor()
  await page.reload()
  await page.getByText('Its key is stored encrypted and is not shown again.').waitFor()
  expect(await page.content()).not.toContain(KEY)
})

test('a wrong address says what to check', async () => {
  await fillForm({ url: 'http://127.0.0.1:9/v1', model: 'm' })
  const alert = window.page.getByRole('alert').filter({ hasText: 'Check the address' })
  await alert.waitFor()
  await expectAccessible(window.page)
  await tryIt()
  await window.page.getByRole('status').filter({ hasText: 'Check the address' }).waitFor()
})

test('a model without tools says which to choose', async () => {
  const { url } = await open(ollamaWithoutTools)
  const { page } = window
  await page.goto('/models')
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('Provider').selectOption('Ollama')
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('Address').blur()
  await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('m')
  await tryIt()
  await page.getByText('Choose a model with tools').waitFor()
  await page.getByText('It answers in the structure that it is asked for.').waitFor()
})

test('a model is removed again', async () => {
  const { page } = window
  await page.goto('/models')
  await page.getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No model yet.').waitFor()
  expect(window.errors).toEqual([])
})
