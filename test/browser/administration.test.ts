// The pages of administrators about the running of the service: health with a backup, spending with limits and the price of a model.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChatServer, chatServer } from '../support/chat-server.ts'
import { quickService } from '../support/quick-service.ts'
import { ADMIN, type Service } from '../support/service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let folder: string
let service: Service
let window: Window
let chat: ChatServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-backups-'))
  chat = await chatServer()
  chat.answer = () => ({ text: 'I do not know.', tokens: 1200 })
  service = await quickService({
    env: {
      KENNING_PICTURE_TEXT: 'off',
      KENNING_BACKUP_DIR: folder,
      KENNING_LLM_URL: chat.url,
      KENNING_LLM_MODEL: 'heron',
    },
  })
  window = await openWindow(service.origin)
  await window.page.goto('/')
  await signIn(window.page, ADMIN)
})
afterAll(async () => {
  await closeWindows()
  await service?.remove()
  await chat?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Asks in a workspace of its own, as the administrator. */
async function asker(): Promise<() => Promise<string>> {
  const headers = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' }
  const post = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(service.base + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as T
  }
  const { id } = await post<{ id: string }>('/workspaces', { name: 'Harbour' })
  return async () =>
    (await post<{ answer: string }>(`/workspaces/${id}/ask`, { question: 'Who keeps the harbour?' })).answer
}

test('the palette opens the pages of administrators', async () => {
  const { page } = window
  await page.getByRole('link', { name: 'Health' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('dialog input:focus').waitFor()
  await page.keyboard.type('spend')
  await page.getByRole('option', { name: 'Spending' }).click()
  await page.waitForURL(/\/spending$/)
})

test('health: the parts in words, and a backup by the button', async () => {
  const { page } = window
  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByText('None was ever made here').waitFor()
  await page.getByText('One runs, on').waitFor()
  await page.getByText('None in the last 30 days.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Make a backup' }).click()
  await page.getByText(`${folder}/kenning-`).waitFor()
  await page.getByText(', whole').waitFor()
  await expectAccessible(page)
})

test('spending: a price, a question, a limit, and the answer that says so', async () => {
  const { page } = window
  await page.getByRole('link', { name: 'Models' }).click()
  await page.getByText('Price: none entered').click()
  await page.getByLabel('A million tokens read').fill('2')
  await page.getByLabel('A million tokens written').fill('8')
  await page.getByRole('button', { name: 'Save the price' }).click()
  await page.getByText('Price: 2 USD to read and 8 USD to write a million tokens').waitFor()
  await expectAccessible(page)
  const question = await asker()
  await question()
  const sent = chat.requests.length
  expect(sent).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Spending' }).click()
  await page.getByRole('cell', { name: 'heron' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('group', { name: 'Each person' }).getByLabel('Tokens').fill('10')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The limits hold from the next question on.').waitFor()
  expect(await question()).toContain('Your monthly limit for the language model is reached')
  expect(chat.requests).toHaveLength(sent)
  const person = page.getByRole('form', { name: 'The limit of a person' })
  await person.getByLabel('Email address').fill(ADMIN.email)
  await person.getByLabel('Tokens').fill('1000000')
  await person.getByRole('button', { name: 'Set' }).click()
  await page.getByText('1,000,000 tokens').waitFor()
  await expectAccessible(page)
  expect(await question()).not.toContain('Your monthly limit')
  await page.getByRole('button', { name: /Remove the limit of/ }).click()
  await page.getByText('1,000,000 tokens').waitFor({ state: 'detached' })
  expect(await question()).toContain('Your monthly limit')
})
