// Which database is too old or lacks pgvector, and what to do about it.

import { expect, test } from 'vitest'
import { problemOf } from './requirements.ts'

const facts = { version: '16.4', version_number: 160_004, available: '0.8.0', installed: '0.8.0', size: 1 }

test.each([
  ['all is new enough', {}, undefined],
  ['pgvector is installed with the first start', { installed: null }, undefined],
  [
    'an old server',
    { version: '15.9', version_number: 150_009 },
    /PostgreSQL 15\.9 is too old: set DATABASE_URL to .*16/,
  ],
  ['no pgvector', { available: null, installed: null }, /install it on the server/],
  [
    'an old pgvector on the server',
    { available: '0.7.4', installed: null },
    /0\.7\.4 is too old: install 0\.8/,
  ],
  [
    'an old pgvector in use',
    { available: '0.7.4', installed: '0.7.4' },
    /install 0\.8 or newer on the server/,
  ],
  ['a new one that is not in use yet', { installed: '0.7.4' }, /ALTER EXTENSION vector UPDATE/],
])('%s', (_, changed, message) => {
  const found = problemOf({ ...facts, ...changed })
  if (message) expect(found).toMatch(message)
  else expect(found).toBeUndefined()
})
