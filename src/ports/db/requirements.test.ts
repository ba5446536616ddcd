// Which database is too old or lacks pgvector, and what to do about it.

import { expect, test } from 'vitest'
import { problemOf } from './requirements.ts'

const facts = {
  version: '16.4',
  version_number: 160_004,
  available: '0.8.0',
  installed: '0.8.0',
  may_install: true,
  schema: 'public',
  may_create: true,
  user: '"the user"',
}

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
  ['pgvector is installed, so nobody has to', { may_install: false }, undefined],
  [
    'no right to install pgvector',
    { installed: null, may_install: false },
    /may not install pgvector: .* run "CREATE EXTENSION vector" in this database$/,
  ],
  [
    'no right to create tables',
    { may_create: false },
    /the user "the user" may not create tables: .* run "GRANT CREATE ON SCHEMA public TO "the user"" in/,
  ],
  [
    'neither, and no schema',
    { installed: null, may_install: false, schema: null, may_create: false },
    /may not install pgvector and create tables: .*vector; CREATE SCHEMA AUTHORIZATION "the user"" in/,
  ],
])('%s', (_, changed, message) => {
  const found = problemOf({ ...facts, ...changed })
  if (message) expect(found).toMatch(message)
  else expect(found).toBeUndefined()
})
