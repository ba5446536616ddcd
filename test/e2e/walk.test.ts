// The API tour of docs/api.md equals scripts/walk.sh, and the script works.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SharedService, sharedService } from '../support/shared-service.ts'

let service: SharedService
beforeAll(async () => {
  service = await sharedService()
})
afterAll(() => service?.leave())

const walk = (password: string) =>
  spawnSync('bash', ['scripts/walk.sh', service.account.email, password], {
    env: { ...process.env, KENNING_URL: service.origin },
    encoding: 'utf8',
  })

test('docs/api.md shows the script', () => {
  const [, shown] =
    /<!-- walk -->\n```\n([\s\S]*?)\n```\n<!-- \/walk -->/.exec(readFileSync('docs/api.md', 'utf8')) ?? []
  const [, script] = readFileSync('scripts/walk.sh', 'utf8').trimEnd().split('set -euo pipefail\n')
  expect(shown).toBe(script)
})

test('the script signs in, uploads, waits, searches and asks', () => {
  const { status, stdout, stderr } = walk(service.account.password)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).toContain('"status":"done"')
  expect(stdout).toMatch(/six months[\s\S]*\[1\]\s*$/)
})

test('a wrong password stops it with the reason, before anything is created', () => {
  const { status, stdout, stderr } = walk('not the password')
  expect(status).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toContain('"error"')
})

test('an error while it waits stops it as well', async () => {
  // Half way: everything is made, and what is waited for is refused.
  const refusing = createServer((request, response) => {
    request.resume()
    if (request.url?.startsWith('/v1/jobs/')) response.statusCode = 401
    response.end(JSON.stringify(response.statusCode === 401 ? { error: {} } : { id: 'x', access_token: 'x' }))
  })
  refusing.listen(0, '127.0.0.1')
  await once(refusing, 'listening')
  const { port } = refusing.address() as AddressInfo
  const env = { ...process.env, KENNING_URL: `http://127.0.0.1:${port}` }
  const walking = spawn('bash', ['scripts/walk.sh', service.account.email, service.account.password], { env })
  const [said, [status]] = await Promise.all([text(walking.stderr), once(walking, 'close')])
  refusing.close()
  expect(status).not.toBe(0)
  expect(said).toContain('"error"')
})
