// A lease with a summary above its clauses, and an amendment with a table of periods: the rent in force is answered, however it is
// asked for.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { bodyOf, type TestApp } from '../support/app.ts'
import { askLibrary } from '../support/ask-library.ts'

const clauses = Array.from(
  { length: 14 },
  (_, i) =>
    `\n## ${i + 5}. Duty ${i}\n\n${i + 5}.1 The Tenant of Unit 9 keeps the rent book of duty ${i} in Unit 9.\n`,
).join('')
const files = {
  'lease.md': `# Lease of Unit 9, Saltgate

| Term | What was agreed |
|---|---|
| Unit | Unit 9, Saltgate |
| Yearly rent | £20,400, payable in four equal parts of £5,100 |

## 4. Rent

4.1 The rent is £20,400 a year.

4.2 The rent is reviewed once, with effect from 1 May 2023.
${clauses}`,
  'amendment.md': `# Amendment No. 1 to the lease of Unit 9, Saltgate

## 1. Notice

1.1 In clause 12.1 the word "six" is replaced by "three".

## 2. Rent

2.1 In place of the review under clause 4.2 the parties agree on a rent of £23,600 a year from 1 May 2023.

| Period | Yearly rent |
|---|---|
| 1 May 2018 to 30 April 2023 | £20,400 |
| 1 May 2023 to the end of the term | £23,600 |
`,
}

let app: TestApp
let token: string
let workspace: string
beforeAll(async () => {
  ;({ app, token, workspace } = await askLibrary('saltgate', files))
})
afterAll(() => app.close())

test.each([
  'How much is the rent?',
  'What is the current rent?',
  'What is the rent of Unit 9?',
  'What rent do we pay now for Unit 9?',
])('%s is answered by the amendment', async (question) => {
  const body = { question }
  const { answer } = bodyOf<Answer>(
    await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body }),
  )
  const now = answer.indexOf('£23,600')
  expect(now, answer).toBeGreaterThan(0)
  const earlier = answer.indexOf('£20,400')
  if (earlier >= 0) expect(earlier, answer).toBeGreaterThan(now)
})
