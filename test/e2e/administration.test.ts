// `kenning health` and `kenning spending`: administrators see how the service is doing, make a backup and set limits from a shell.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Backups, ServiceHealth } from '../../src/contract/health.ts'
import type { MonthlySpending } from '../../src/contract/spending.ts'
import { type Ended, type Home, makeHome } from '../support/kenning.ts'
import { quickService } from '../support/quick-service.ts'
import { ADMIN, type Service } from '../support/service.ts'

let folder: string
let service: Service
let home: Home
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-backups-'))
  service = await quickService({ env: { KENNING_BACKUP_DIR: folder } })
  home = makeHome(() => ({ KENNING_SERVER: service.origin }))
})
afterAll(async () => {
  home?.remove()
  await service?.remove()
  rmSync(folder, { recursive: true, force: true })
})

const ASKED = ['--email', ADMIN.email, '--password-stdin']
const kenning = (...args: string[]): Promise<Ended> =>
  home.kenning([...args, ...ASKED], { input: `${ADMIN.password}\n` })
async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await kenning(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

test('health, with a backup that a worker of the service makes', async () => {
  const health = await kenning('health')
  expect(health.code, health.stderr).toBe(0)
  expect(health.stdout).toMatch(/^ok +database +PostgreSQL/m)
  expect(health.stdout).toMatch(/^ok +workers +one runs, on /m)
  expect((await json<ServiceHealth>('health')).versions.node).toBe(process.versions.node)
  expect(await kenning('health', 'failed')).toMatchObject({ code: 0, stdout: '' })
  expect((await kenning('health', 'backup')).code).toBe(0)
  let made: Backups['data'][number] | undefined
  do {
    ;[made] = (await json<Backups>('health', 'backups')).data
  } while (made?.state === 'queued' || made?.state === 'running')
  expect(made).toMatchObject({ state: 'done', error: null })
  expect(existsSync(join(made?.folder ?? '', 'manifest.json'))).toBe(true)
})

test('spending: prices and limits', async () => {
  expect((await kenning('spending')).stdout).toContain('There is no limit.')
  expect((await kenning('spending', 'price', 'heron', '--prompt', '2', '--answer', '8')).code).toBe(0)
  const { stdout } = await kenning('spending', 'limit', '--service-cost', '200', '--currency', 'EUR')
  expect(stdout).toBe('Limits of a month: 200 EUR for the service.\n')
  await kenning('spending', 'limit', '--person-tokens', '5000')
  expect(await json<MonthlySpending>('spending')).toMatchObject({
    limits: { currency: 'EUR', service_cost: 200, person_tokens: 5000, service_tokens: null },
    prices: [{ model: 'heron', prompt: 2, answer: 8 }],
  })
  await kenning('spending', 'limit', '--person', ADMIN.email, '--person-cost', '2')
  // The amount that is not named is the one of each person.
  expect((await json<MonthlySpending>('spending')).person_limits).toMatchObject([{ tokens: 5000, cost: 2 }])
  const own = await kenning('spending', 'limit', '--person', ADMIN.email, '--person-tokens', '7000')
  expect(own.stdout).toContain('7,000 tokens')
  await kenning('spending', 'limit', '--person', ADMIN.email, '--person-cost', '3.5')
  expect((await json<MonthlySpending>('spending')).person_limits).toMatchObject([{ tokens: 7000, cost: 3.5 }])
  expect(
    (await kenning('spending', 'limit', '--person', 'x@example.org', '--person-cost', '1')).code,
  ).not.toBe(0)
  await kenning('spending', 'limit', '--person', ADMIN.email)
  expect((await json<MonthlySpending>('spending')).person_limits).toEqual([])
  await kenning('spending', 'limit', '--service-cost', 'none', '--person-tokens', 'none')
  expect((await kenning('spending')).stdout).toContain('There is no limit.')
  expect((await kenning('spending', 'price', 'heron', '--prompt', '2')).code).toBe(2)
  expect((await kenning('spending', 'limit', '--service-cost', 'much')).code).toBe(2)
})

test('with a second factor, commands take a code in the line after the password, and the operator removes it', async () => {
  const { origin } = service
  const json = { origin, 'content-type': 'application/json' }
  const post = (path: string, body: object, cookie = '') =>
    fetch(origin + path, { method: 'POST', headers: { ...json, cookie }, body: JSON.stringify(body) })
  const cookie = (await post('/session', ADMIN)).headers.getSetCookie()[0]?.split(';')[0]
  const begun = await post('/account/second-factor', { password: ADMIN.password }, cookie)
  const { secret } = (await begun.json()) as { secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const confirmed = await post('/account/second-factor/confirm', { code }, cookie)
  const [first = ''] = ((await confirmed.json()) as { recovery_codes: string[] }).recovery_codes
  const health = (...lines: string[]): Promise<Ended> =>
    home.kenning(['health', ...ASKED], { input: `${[ADMIN.password, ...lines].join('\n')}\n` })
  expect(await health(first)).toMatchObject({ code: 0, stderr: '' })
  expect(await health(first)).toMatchObject({ code: 3, stderr: expect.stringContaining('already used') })
  expect(await health()).toMatchObject({ code: 2, stderr: expect.stringContaining('second factor') })
  const reset = () =>
    home.kenning(['reset-second-factor', ADMIN.email.toUpperCase()], {
      env: { KENNING_DATA_DIR: service.dataDir, KENNING_PORT: new URL(origin).port },
    })
  expect(await reset()).toMatchObject({ code: 0, stdout: expect.stringContaining('removed') })
  expect(await reset()).toMatchObject({ code: 1 })
  expect((await health()).code).toBe(0)
})
