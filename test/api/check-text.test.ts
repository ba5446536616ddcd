// A text checked against the documents: verdicts with their passages, hostile texts, and what it counts as.

import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TextCheck } from '../../src/contract/checks.ts'
import { openPool } from '../../src/reader/pool.ts'
import { bodyOf, type TestApp, testApp } from '../support/app.ts'
import { drain, upload } from '../support/ingest.ts'

const FILES = {
  'handbook.md':
    '# Handbook\n\n## Working time\n\nThe working week has 36 hours. Backups are kept for 35 days.\n\n## Safety\n\nNobody works alone at the crane.\n',
  'lease.md':
    '# Lease of hall 3\n\n| Tenant | Ann Sorel |\n| - | - |\n| Yearly rent | £38,400, payable in four equal parts of £9,600 |\n\n## 1. Premises\n\n1.1 The premises do not include the covered store.\n\n## 4. Rent\n\n4.1 The rent is £38,400 a year.\n\n## 9. Notice\n\n9.1 The tenant may end the lease with six months’ written notice.\n',
  'amendment.md':
    '# Amendment No. 1 to the lease of hall 3\n\n## 1. Notice\n\nIn clause 9.1 of the lease of hall 3 the words “six months” are replaced by “three months”.\n\n## 2. Rent\n\nRent under the lease of hall 3 as amended\n\n| Period | Yearly rent | Each quarter |\n| - | - | - |\n| 1 February 2019 to 31 January 2024 | £38,400 | £9,600 |\n| 1 February 2024 to the end of the term | £41,200 | £10,300 |\n\n## 3. Store\n\nThe premises include bay 6 of the covered store.\n',
  'travel-policy-2023.md':
    '# Travel Policy 2023\n\nValid from 1 January 2023.\n\nThe daily allowance for meals is 28 euros.\n',
  'travel-policy-2024.md':
    '# Travel Policy 2024\n\nValid from 1 January 2024.\n\nThe daily allowance for meals is 32 euros.\n',
}

let app: TestApp
let token: string
let path: string

beforeAll(async () => {
  app = await testApp({ askPerHour: 14 })
  const parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  const person = await app.person()
  token = await app.token(person)
  const workspace = await app.workspace(person, 'checked')
  path = `/v1/workspaces/${workspace}/check`
  const deps = { ...app.deps, parser }
  await upload(deps, person, workspace, FILES)
  await drain(deps)
  await parser.close()
})
afterAll(() => app.close())

const send = (text: unknown) => app.send('POST', path, token, { body: { text } })

test('each sentence has its verdict and the passages that say so', async () => {
  const draft =
    '# Draft\n\nThe working week has 36 hours. Backups are kept for 30 days.\n- The canteen serves soup.\n\nWhy?\n\nThe tenant may end the lease with six months’ written notice.'
  const { data, ...counts } = bodyOf<TextCheck>(await send(draft))
  expect(data.map(({ verdict }) => verdict)).toEqual([
    'supported',
    'contradicted',
    'not_found',
    'contradicted',
  ])
  expect(counts).toEqual({ supported: 1, contradicted: 2, not_found: 1 })
  for (const { text, start, end } of data) expect(draft.slice(start, end)).toBe(text)
  const [supported, contradicted, unknown, amended] = data
  expect(supported?.passages[0]).toMatchObject({
    text: 'The working week has 36 hours.',
    document_title: 'Handbook',
    type: 'text',
  })
  expect(contradicted?.passages[0]?.text).toContain('35 days')
  expect(unknown?.passages).toEqual([])
  expect(amended?.passages[0]?.text).toContain('three months')
})

describe('texts that cannot be checked are refused with what is wrong', () => {
  test.each([
    ['empty', '', 'string_too_short'],
    ['nothing but control characters', '\u0000\u0001', 'string_too_short'],
    ['longer than 50,000 characters', 'a'.repeat(50_001), 'string_too_long'],
    ['too many sentences', 'One two three. '.repeat(3000), 'too_long'],
    ['no text', 5, 'string_type'],
  ])('%s', async (_, text, type) => {
    const answer = await send(text)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      error: { type: 'invalid_request' },
      detail: [{ loc: ['body', 'text'], type }],
    })
  })

  test('a megabyte', async () => {
    const answer = await send('word '.repeat(250_000))
    expect([413, 422]).toContain(answer.status)
    expect(answer.body).toMatchObject({ error: { type: 'invalid_request' } })
  })

  test('a text that states nothing has no sentences, and is no question', async () => {
    const answer = await send('Why?\n\n# Heading')
    expect([answer.status, answer.body]).toEqual([
      200,
      { data: [], supported: 0, contradicted: 0, not_found: 0 },
    ])
  })

  test('what is refused does not count as a question', async () => {
    expect((await send('The working week has 36 hours.\u0007')).status).toBe(200)
  })
})

test('a caller has one text checked at once', async () => {
  const answers = await Promise.all([0, 1].map(() => send('Backups are kept for 35 days.')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 503])
})

test('each fifty sentences count as a question', async () => {
  const { rows } = app.deps.db
  const before = await rows<{ n: number }>(sql`SELECT count(*)::int AS n FROM asked`)
  expect((await send('Backups are kept for 35 days.\n\n'.repeat(51))).status).toBe(200)
  const after = await rows<{ n: number }>(sql`SELECT count(*)::int AS n FROM asked`)
  expect((after[0]?.n ?? 0) - (before[0]?.n ?? 0)).toBe(2)
})

test.each([
  ['The yearly rent of hall 3 is £38,400.', 'contradicted', '£41,200'],
  ['The yearly rent of hall 3 is £41,200.', 'supported', '£41,200'],
  ['Until 31 January 2024 the yearly rent of hall 3 was £38,400.', 'supported', '£38,400'],
  ['The premises do not include the covered store.', 'contradicted', 'bay 6'],
  ['The daily allowance for meals is 28 euros.', 'contradicted', '32 euros'],
  ['In 2023 the daily allowance for meals was 28 euros.', 'supported', '28 euros'],
])('a statement is held against what is valid: %s', async (statement, verdict, quote) => {
  const { data } = bodyOf<TextCheck>(await send(statement))
  expect(data.map((one) => one.verdict)).toEqual([verdict])
  expect(data[0]?.passages[0]?.text).toContain(quote)
})

test('a stranger gets 404, and the hourly limit holds', async () => {
  const stranger = await app.token(await app.person())
  const refused = await app.send('POST', path, stranger, { body: { text: 'The working week has 36 hours.' } })
  expect(refused.status).toBe(404)
  let last = 200
  for (let i = 0; i < 14 && last === 200; i++) last = (await send('Backups are kept for 35 days.')).status
  expect(last).toBe(429)
})
