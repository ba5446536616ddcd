// People in a browser: the first run by the setup link, and who is let in afterwards.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migratedDirectory } from '../support/database.ts'
import { FULL, thorough } from '../support/full.ts'
import { quickService } from '../support/quick-service.ts'
import { freePort, type Service } from '../support/service.ts'
import { closeWindows, expectAccessible, openWindow, signIn, type Window } from './browser.ts'
import { askedProgram } from './program.ts'

let service: Service
let window: Window
beforeAll(async () => {
  // Without an account: the first start prints the setup link.
  service = await quickService({
    env: { KENNING_PICTURE_TEXT: 'off', KENNING_ADMIN_EMAIL: '', KENNING_ADMIN_PASSWORD: '' },
  })
  window = await openWindow(service.origin)
})
afterAll(async () => {
  await closeWindows()
  await service?.remove()
})

const COLLEAGUE = { email: 'colleague@example.org', password: 'rain over the west quay' }
const FIRST = { email: 'keeper@example.org', password: 'a quiet harbour at dawn' }

const isAccessible = (page = window.page): Promise<void> => expectAccessible(page)

/** The id of the workspace in the address. */
const workspaceId = (): string => /\/w\/([^/?]+)/.exec(window.page.url())?.[1] ?? ''

/** Calls a route with the browser's session. */
async function called<T>(method: string, path: string, body?: object): Promise<T> {
  const { origin } = service
  const cookie = (await window.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const token = await fetch(`${origin}/session/token`, { method: 'POST', headers: { origin, cookie } })
  const { access_token } = (await token.json()) as { access_token: string }
  const json = body && { body: JSON.stringify(body) }
  const headers = { origin, cookie, authorization: `Bearer ${access_token}` }
  const type = body && { 'content-type': 'application/json' }
  const answer = await fetch(origin + path, { method, headers: { ...headers, ...type }, ...json })
  return (await answer.json()) as T
}

test('the setup link leads to an account, a workspace, the example library and an answer', async () => {
  const { page } = window
  const link = /http:\S+\/setup\?token=[\w-]+/.exec(service.output())?.[0] ?? ''
  await page.goto('/')
  await page.getByRole('heading', { name: 'Kenning is not set up yet' }).waitFor()
  await isAccessible()
  await page.goto(link)
  await page.getByLabel('Email address').fill(FIRST.email)
  await page.getByLabel('Password, at least 12 characters').fill(FIRST.password)
  await page.getByLabel('Repeat the password').fill(FIRST.password)
  await isAccessible()
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Welcome to Kenning' }).waitFor()
  await isAccessible()
  await page.getByLabel('Name').fill('Tidewick')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
  await isAccessible()
  await page.getByRole('button', { name: 'Try it with an example library' }).click()
  const uploads = page.getByRole('region', { name: 'Uploads' })
  if (FULL) {
    await uploads.getByText('15 files searchable', { exact: true }).waitFor()
  } else {
    // The first one; its scans take 20 s of processor time.
    await uploads.getByText(/^[1-9]\d* of 15 files searchable/).waitFor()
    await uploads.getByRole('button', { name: 'Cancel' }).click()
    await uploads.getByText(/^\d+ files? searchable$/).waitFor()
  }
  await page
    .getByRole('navigation', { name: 'Places of the workspace' })
    .getByRole('link', { name: 'Ask' })
    .click()
  await page.getByLabel('Your question').fill('By how much did the revenue from calibration change?')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: /^Source 1/ })
    .first()
    .waitFor()
  await page.getByText('11.3 %').first().waitFor()
})

thorough('adding the example library again changes nothing', async () => {
  const id = workspaceId()
  const about = () => called<{ document_count: number }>('GET', `/v1/workspaces/${id}`)
  const before = await about()
  expect(before.document_count).toBe(15)
  const job = await called<{ id: string }>('POST', `/v1/workspaces/${id}/examples`)
  await expect
    .poll(async () => (await called<{ status: string }>('GET', `/v1/jobs/${job.id}`)).status)
    .toBe('done')
  expect(await about()).toMatchObject({ document_count: 15 })
})

test('a key is made, shown once with its snippets, works over HTTP, and is revoked after a question', async () => {
  const { page } = window
  const id = workspaceId()
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByText('You have no keys.').waitFor()
  await isAccessible()
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('form', { name: 'New key' })
  await form.getByLabel('Name').fill('Reporting script')
  await form.getByText('It can read, search and ask in Tidewick.').waitFor()
  await isAccessible()
  await form.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByRole('region', { name: 'New key' }).locator('code').textContent()) ?? ''
  await isAccessible()
  const panel = page.getByRole('tabpanel')
  for (const name of ['Cursor', 'VS Code', 'TypeScript', 'curl']) {
    await page.getByRole('tab', { name }).click()
    expect(await panel.locator('pre').textContent()).toContain(key)
  }
  await page.getByRole('tab', { name: 'Claude' }).click()
  await panel.getByText(`${service.origin}/v1/mcp`, { exact: true }).waitFor()
  await page.keyboard.press('ArrowRight')
  await panel.getByText('In ChatGPT').waitFor()
  await isAccessible()
  const search = () =>
    fetch(`${service.origin}/v1/workspaces/${id}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'lead time' }),
    })
  expect((await search()).status).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('last used just now').waitFor()
  expect(await page.locator('body').textContent()).not.toContain(key)
  await page.getByRole('button', { name: 'Revoke Reporting script' }).click()
  await isAccessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click()
  expect((await search()).status).toBe(200)
  await page.getByRole('button', { name: 'Revoke Reporting script' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('You have no keys.').waitFor()
  expect((await search()).status).toBe(401)
})

test('an OAuth client is let in on the consent page, stands under Connections, and is disconnected', async () => {
  const { page } = window
  const program = await askedProgram(service.origin, 'Harbour assistant')
  try {
    await page.goto(program.address)
    await page.getByRole('heading', { name: 'Harbour assistant' }).waitFor()
    await page.getByText(program.host).waitFor()
    await page.getByText(FIRST.email).first().waitFor()
    await isAccessible()
    const [deny, allow] = await Promise.all(
      ['Deny', 'Allow'].map((name) => page.getByRole('button', { name }).boundingBox()),
    )
    expect(deny?.width).toBe(allow?.width)
    await page.getByRole('button', { name: 'Allow' }).click()
    const headers = { authorization: `Bearer ${await program.token()}` }
    const me = () => fetch(`${service.origin}/v1/me`, { headers })
    expect((await me()).status).toBe(200)
    await page.goto('/connections')
    await page.getByText('Harbour assistant').waitFor()
    await page.getByText(program.host).waitFor()
    await page.getByText('last used just now').waitFor()
    await isAccessible()
    await page.getByRole('button', { name: 'Disconnect Harbour assistant' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('No application is connected.').waitFor()
    expect((await me()).status).toBe(401)
  } finally {
    await program.end()
  }
})

test('a colleague is invited into a workspace, accepts in a browser of their own, and is suspended', async () => {
  const { page } = window
  const colleague = COLLEAGUE
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByLabel('Email address').fill(`Colleague <${colleague.email}>, second@example.org`)
  await page.getByLabel('Workspace', { exact: true }).selectOption('Tidewick')
  await page.getByLabel('Role').selectOption('viewer')
  await isAccessible()
  await page.getByRole('button', { name: 'Create 2 invitations' }).click()
  const made = page.getByRole('region', { name: 'New invitation' }).getByRole('listitem')
  const link = (await made.filter({ hasText: colleague.email }).locator('code').textContent()) ?? ''
  expect(await made.count()).toBe(2)
  await page.getByRole('button', { name: `Withdraw the invitation of ${colleague.email}` }).waitFor()
  await isAccessible()
  const theirs = await openWindow(service.origin)
  await theirs.page.goto(link)
  await theirs.page.getByText('invites you to the workspace “Tidewick”').waitFor()
  expect(await theirs.page.getByLabel('Email address').count()).toBe(0)
  await isAccessible(theirs.page)
  await theirs.page.getByLabel('Password, at least 12 characters').fill(colleague.password)
  await theirs.page.getByLabel('Repeat the password').fill(colleague.password)
  await theirs.page.getByRole('button', { name: 'Create account' }).click()
  await theirs.page.getByRole('heading', { level: 1, name: 'Tidewick' }).waitFor()
  const workspace = /\/w\/([^/?]+)/.exec(theirs.page.url())?.[1] ?? ''
  // What a viewer may not use is not shown.
  const places = theirs.page.getByRole('navigation', { name: 'Places of the workspace' })
  await places.getByRole('link', { name: 'Settings' }).waitFor()
  expect(await places.getByRole('link').allTextContents()).toEqual([
    'Ask',
    'Search',
    'Documents',
    'Graph',
    'Settings',
  ])
  await theirs.page.keyboard.press('ControlOrMeta+k')
  await theirs.page.getByRole('option', { name: 'Go to Settings' }).waitFor()
  expect(await theirs.page.getByRole('option', { name: /^(Upload files|Go to Activity)/ }).count()).toBe(0)
  expect(await theirs.page.getByRole('option', { name: /^Usage/ }).count()).toBe(0)
  await theirs.page.keyboard.press('Escape')
  expect(await theirs.page.getByRole('link', { name: 'Usage', exact: true }).count()).toBe(0)
  // On the page for asking, the key would be typed into the question.
  await theirs.page.goto(`/w/${workspace}/documents`)
  await places.getByRole('link', { name: 'Documents' }).waitFor()
  await theirs.page.keyboard.press('?')
  const shortcuts = theirs.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shortcuts.getByText('Documents', { exact: true }).waitFor()
  expect(await shortcuts.getByText('Activity').count()).toBe(0)
  await theirs.page.keyboard.press('Escape')
  // What is for others says so.
  await theirs.page.goto('/people')
  await theirs.page.getByRole('heading', { name: 'Not allowed' }).waitFor()
  expect(await theirs.page.getByRole('link', { name: 'People' }).count()).toBe(0)
  await theirs.page.goto('/w/3f2504e0-4f89-41d3-9a0c-0305e82c3301')
  await theirs.page.getByRole('heading', { name: 'Not found' }).waitFor()
  await isAccessible(theirs.page)
  await theirs.page.goto(`/w/${workspace}/settings`)
  await theirs.page.getByRole('button', { name: 'Leave the workspace' }).waitFor()
  expect(await theirs.page.getByRole('button', { name: 'Move to trash' }).count()).toBe(0)
  await theirs.page.goto(`/w/${workspace}/nothing-here`)
  await theirs.page.getByRole('heading', { name: 'There is no page at this address' }).waitFor()
  await isAccessible(theirs.page)
  await theirs.page.goto(`/usage?of=${workspace}`)
  await theirs.page.getByRole('heading', { name: 'Not allowed' }).waitFor()

  await page.goto('/people')
  await page.getByText(colleague.email).waitFor()
  await page.getByRole('button', { name: `Suspend ${colleague.email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: `Restore ${colleague.email}` }).waitFor()
  await isAccessible()
  await theirs.page.goto('/settings')
  await theirs.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const unexpected = theirs.errors.filter((error) => !/status of 40[134]/.test(error))
  expect(unexpected).toEqual([])
  await theirs.context.close()
  await page.getByRole('button', { name: `Restore ${colleague.email}` }).click()
  await page.getByRole('button', { name: `Suspend ${colleague.email}` }).waitFor()
})

test('the demo ends with a link that opens its library, signed in, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-demo-'))
  mkdirSync(join(folder, 'Notes'))
  writeFileSync(join(folder, 'Notes', 'harbour.md'), '# Harbour rules\n\nThe harbour master is Anna Berg.\n')
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    KENNING_DATA_DIR: await migratedDirectory(),
    KENNING_PORT: String(await freePort()),
  }
  const demo = spawn(process.execPath, ['dist/scripts/demo.js', '--files', join(folder, 'Notes')], { env })
  let said = ''
  demo.stdout.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  const ended = once(demo, 'close')
  try {
    await expect.poll(() => said).toMatch(/\/sign-in\/link\?token=[\w-]{43}\s/)
    const link = /http:\S+\/sign-in\/link\S+/.exec(said)?.[0] ?? ''
    const { context, page, errors } = await openWindow(new URL(link).origin)
    await page.goto(link)
    await isAccessible(page)
    await page.getByRole('button', { name: 'Open Kenning' }).click()
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor()
    await page.getByRole('link', { name: 'Documents', exact: true }).click()
    await page.getByRole('link', { name: 'Harbour rules' }).waitFor()
    expect(errors).toEqual([])
    await page.goto(link)
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await context.close()
  } finally {
    demo.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
    rmSync(env.KENNING_DATA_DIR, { recursive: true, force: true })
  }
})

test('an owner changes roles and removes members; the usage is what was done', async () => {
  const { page } = window
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Places of the workspace' })
    .getByRole('link', { name: 'Settings' })
    .click()
  const role = page.getByLabel('Role of colleague@example.org')
  await role.selectOption('editor')
  await expect.poll(() => role.inputValue()).toBe('editor')
  await isAccessible()
  await page.getByRole('button', { name: 'Remove colleague@example.org' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await role.waitFor({ state: 'detached' })
  await page
    .getByRole('form', { name: 'Add a member' })
    .getByLabel('Email address')
    .fill('nobody@example.org')
  await page.getByRole('button', { name: 'Add member' }).click()
  await page.getByRole('alert').getByText('invite this person first').waitFor()
  // The browser tells of every answer that is an error.
  expect(window.errors.splice(0)).toEqual([expect.stringContaining('status of 404')])
  await page.getByRole('link', { name: 'Usage of this workspace' }).click()
  await page.getByRole('img', { name: /^Questions a day/ }).waitFor()
  // The example library, in the full suite twice.
  await page
    .getByRole('definition')
    .getByText(FULL ? '30' : '15', { exact: true })
    .waitFor()
  await isAccessible()
  await page.getByLabel('Show').selectOption('The whole service')
  await page.getByText('Active accounts').waitFor()
  await isAccessible()
})

test('a workspace comes back from the trash or is deleted there, and an account once its password is typed', async () => {
  const { page } = window
  await page.goto('/')
  await page
    .getByRole('navigation', { name: 'Places of the workspace' })
    .getByRole('link', { name: 'Settings' })
    .click()
  await isAccessible()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('heading', { name: 'Welcome to Kenning' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tidewick' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('heading', { name: 'Welcome to Kenning' }).waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('list', { name: 'Workspaces in the trash' }).getByText('Tidewick').waitFor()
  await isAccessible()
  await page.getByRole('button', { name: 'Delete Tidewick for good' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
  await page.getByText('No workspace is in the trash.').waitFor()
  await page.getByRole('link', { name: 'Account' }).click()
  await isAccessible()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, COLLEAGUE)
  await page.getByRole('heading', { name: 'Welcome to Kenning' }).waitFor()
  // What they leave behind: a workspace of their own, and a program that reads it.
  const { id } = await called<{ id: string }>('POST', '/v1/workspaces', { name: 'Boat shed' })
  const { key } = await called<{ key: string }>('POST', '/account/keys', { name: 'Log', workspace_ids: [id] })
  const read = () =>
    fetch(`${service.origin}/v1/workspaces/${id}`, { headers: { authorization: `Bearer ${key}` } })
  expect((await read()).status).toBe(200)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const question = page.getByRole('dialog', { name: 'Delete your account?' })
  await isAccessible()
  await question.getByLabel('Password').fill('a wrong password of theirs')
  await question.getByRole('button', { name: 'Delete my account' }).click()
  await question.getByRole('alert').waitFor()
  // The browser tells of every answer that is an error.
  expect(window.errors.splice(0)).toEqual([expect.stringMatching(/status of 4\d\d/)])
  await question.getByLabel('Password').fill(COLLEAGUE.password)
  await question.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, COLLEAGUE)
  await page.getByText(/email address or password/i).waitFor()
  expect(window.errors.splice(0).every((error) => /status of 401/.test(error))).toBe(true)
  expect((await read()).status).toBe(401)
  await signIn(page, FIRST)
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByText(`${FIRST.email} (you)`).waitFor()
  expect(await page.locator('body').textContent()).not.toContain(COLLEAGUE.email)
})

test('nothing was told to the browser’s console as an error', () => {
  expect(window.errors).toEqual([])
})
