// The net under the logs of all tests catches what it is there for, and nothing else.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { watchedLog } from './support/log.ts'
import { PASSWORDS, secretsIn } from './support/secrets.ts'

const random = (): string => `aA0${randomBytes(30).toString('base64url')}`

test.each([
  ['an access token', `Bearer ken_at_${random()}`],
  ['an API key', `{"key":"ken_mcp_${random()}"}`],
  ['the secret of a cookie', `ken_session=${random()}; Path=/`],
  ['a link', `http://127.0.0.1/account/reset#${random()}`],
  ['a password', `"${PASSWORDS[0]}"`],
  ['the hash of one', '$argon2id$v=19$m=19456'],
])('%s is noticed', (_, line) => {
  expect(secretsIn(line)).not.toEqual([])
})

test.each([
  ['ids', `${randomUUID()} ${randomBytes(16).toString('hex')}`],
  ['hashes of content', createHash('sha256').update('x').digest('hex')],
  [
    'paths and names',
    'at readInput (file:///srv/kenning/src/http/input/read-the-input-of-one-request.ts:20:3)',
  ],
  ['the one secret printed on purpose', `{"email":"you@example.org","setup_token":"${random()}"}`],
  ['its link', `    http://127.0.0.1:8484/setup?token=${random()}`],
])('%s are none', (_, line) => {
  expect(secretsIn(line)).toEqual([])
})

test('a log is held against them, and against what a test names', () => {
  const log = watchedLog()
  log.neverSay('canary')
  log.info({ requestId: randomUUID() }, 'request')
  log.warn({ err: new Error(`no token ken_at_${random()}`) }, 'refused')
  log.error({ err: new Error('a failure', { cause: new Error('about a canary') }) }, 'failed')
  expect([log.lines(), log.leaks.length, log.errors.length]).toEqual([3, 2, 1])
})
