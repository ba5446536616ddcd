// An answer in the browser while the model writes it: verified sentences are on the page before the next ones are written.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Workspace } from '../../src/contract/resources.ts'
import { type ChatServer, chatServer } from '../support/chat-server.ts'
import { makeClient } from '../support/client.ts'
import { quickService } from '../support/quick-service.ts'
import { ADMIN, type Service } from '../support/service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'

let chat: ChatServer
let service: Service
let window: Window
let workspace: string
beforeAll(async () => {
  chat = await chatServer()
  service = await quickService({
    env: { KENNING_PICTURE_TEXT: 'off', KENNING_LLM_URL: chat.url, KENNING_LLM_MODEL: 'm' },
  })
  const client = makeClient(service.base, service.token)
  workspace = (await client.post<Workspace>('/workspaces', { name: 'Tidewick' })).id
  const name = 'staff-handbook.md'
  await client.done((await client.upload(workspace, [{ name, bytes: readFileSync(`examples/${name}`) }])).id)
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  await service?.remove()
  await chat?.close()
})

/** The number under which the model was shown the passage about illness. */
function numberOfPassage(): string {
  const shown = chat.requests.at(-1)?.messages.at(-1)?.content ?? ''
  return [...shown.slice(0, shown.indexOf('pays full wages')).matchAll(/^\[(\d+)\] D/gm)].at(-1)?.[1] ?? ''
}

test('sentences are shown as they come, and the whole answer takes their place', async () => {
  const { page } = window
  let go = (): void => {}
  const after = new Promise<void>((resolve) => {
    go = resolve
  })
  chat.answer = () => ({
    text: `The co-operative pays full wages for eight weeks of illness [${numberOfPassage()}].`,
    further: {
      text: ' The tower of Pisa was built in 1173 by Bonanno. The documents do not say more.',
      after,
    },
  })
  await page.goto(`/w/${workspace}`)
  await signIn(page, ADMIN)
  const question = 'For how many weeks of illness are wages paid?'
  await page.getByLabel('Your question').fill(question)
  await page.keyboard.press('Enter')
  const article = page.getByRole('article')
  await article.getByText('pays full wages for eight weeks').waitFor()
  // The model has not written its second sentence.
  expect(await article.getAttribute('aria-busy')).toBe('true')
  await expectAccessible(page)
  go()
  await page.getByRole('button', { name: 'This helped' }).waitFor()
  await article.getByText('The documents do not say more.').waitFor()
  expect(await article.getByText('Pisa').count()).toBe(0)
  await article.getByText('One statement was left out').waitFor()
  await article.getByRole('list', { name: 'Sources of the answer', exact: true }).waitFor()
  expect(window.errors).toEqual([])
})

test('a value that comes after the text is marked in it and does not move it', async () => {
  const { page } = window
  // The service states values only in answers that come as a whole, so one is added on the way to the page.
  await page.route(/\/(?:ask|threads\/[^/?]+)(?:\?.*)?$/, async (route) => {
    const response = await route.fetch()
    const value = '"value":{"text":"eight weeks","citation":1},"citations":['
    await route.fulfill({ response, body: (await response.text()).replaceAll('"citations":[', value) })
  })
  chat.answer = () => ({
    text: `The co-operative pays full wages for eight weeks of illness [${numberOfPassage()}].`,
  })
  await page.goto(`/w/${workspace}`)
  await page.getByLabel('Your question').fill('How many weeks of illness are paid?')
  await page.keyboard.press('Enter')
  const article = page.getByRole('article')
  const firstParagraph = article.getByRole('paragraph').first()
  await page.getByRole('button', { name: 'This helped' }).waitFor()
  await article.locator('mark').getByText('eight weeks', { exact: true }).waitFor()
  expect(await firstParagraph.textContent()).toMatch(/^The co-operative/)
  await expectAccessible(page)
  // Whoever opens the conversation later reads the value first.
  await page.reload()
  await page.getByRole('button', { name: 'This helped' }).waitFor()
  expect(await firstParagraph.textContent()).toMatch(/^eight weeks/)
  await page.unrouteAll({ behavior: 'wait' })
  expect(window.errors).toEqual([])
})
