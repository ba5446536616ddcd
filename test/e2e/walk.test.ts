// The README's walk through the API is the script beside it, and the script works as it stands there.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, type Service, startService } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  await service.remove()
})

const walk = (password: string) =>
  spawnSync('bash', ['scripts/walk.sh', ADMIN.email, password], {
    env: { ...process.env, KENNING_URL: service.origin },
    encoding: 'utf8',
  })

test('the README shows the script', () => {
  const [, shown] =
    /<!-- walk -->\n```\n([\s\S]*?)\n```\n<!-- \/walk -->/.exec(readFileSync('README.md', 'utf8')) ?? []
  const [, script] = readFileSync('scripts/walk.sh', 'utf8').trimEnd().split('set -euo pipefail\n')
  expect(shown).toBe(script)
})

test('it signs in, uploads, waits, searches and asks', () => {
  const { status, stdout, stderr } = walk(ADMIN.password)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).toContain('"status":"done"')
  expect(stdout).toMatch(/six months[\s\S]*\[1\]\s*$/)
})

test('a wrong password stops it with the reason, before anything is made', () => {
  const { status, stdout, stderr } = walk('not the password')
  expect(status).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toContain('"error"')
})
