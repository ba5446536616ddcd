// Conversations of several turns, contracts with amendments and editions of one document, asked as a person does.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { openPool, type ParserPool } from '../../src/reader/pool.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import { drain, type Files, upload, type WorkDeps } from '../support/ingest.ts'

let app: TestApp
let token: string
let person: Person
let parser: ParserPool
let deps: WorkDeps

beforeAll(async () => {
  app = await testApp({ askPerHour: 10_000 })
  parser = openPool({ size: 1, cacheDir: app.deps.settings.dataDir, log: app.deps.log })
  person = await app.person()
  token = await app.token(person)
  deps = { ...app.deps, parser }
})
afterAll(async () => {
  await parser.close()
  await app.close()
})

/** The first quote of each answer in one conversation. */
async function quotes(workspace: string, ...questions: string[]): Promise<string[]> {
  const first: string[] = []
  let thread: string | null = null
  for (const question of questions) {
    const body = { question, thread_id: thread }
    const answer: Answer = bodyOf<Answer>(
      await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body }),
    )
    thread = answer.thread_id
    first.push(answer.answer.split('\n').find((line) => line.startsWith('- ')) ?? answer.answer)
  }
  return first
}

async function workspaceOf(name: string, files: Files): Promise<string> {
  const workspace = await app.workspace(person, name)
  await upload(deps, person, workspace, files)
  await drain(deps)
  return workspace
}

test('follow-ups stay with what the latest turns turned to', async () => {
  const prices = (name: string, amounts: number[], time: string) =>
    `# Workshop prices: ${name}\n\nA tyre change of the ${name} costs ${amounts[0]} euros. A service costs ${amounts[1]} euros. A windscreen replacement costs ${amounts[2]} euros and takes ${time}.`
  const workspace = await workspaceOf('workshop', {
    'aurora.md': prices('Aurora', [80, 240, 410], 'two hours'),
    'borealis.md': prices('Borealis', [95, 310, 520], 'three hours'),
  })
  const answers = await quotes(
    workspace,
    'What does a tyre change of the Aurora cost?',
    'And of the Borealis?',
    'And a service?',
    'And a windscreen replacement?',
    'How long does it take?',
    'And for the Aurora?',
    'What does a tyre change of the Borealis cost?',
    'And a service?',
    'And of the Aurora?',
  )
  for (const [i, said] of [
    '80 euros',
    '95 euros',
    '310 euros',
    '520 euros',
    'three hours',
    'two hours',
    '95 euros',
    '310 euros',
    '240 euros',
  ].entries())
    expect(answers[i], String(i)).toContain(said)
})

test('a follow-up in other words is answered by the document of the conversation', async () => {
  const workspace = await workspaceOf('club', {
    'club.md':
      '# Rowing club\n\nA locker costs 35 euros a year. There are 48 lockers. The list hangs beside the kitchen.',
    'budget.md':
      '# Budget\n\nThere are two lines of them for people: wages and training. There are 12 apprentices.',
    'lease.md':
      '# Lease\n\nThere are four instalments of 17,100 euros. How many of them are due is in clause 3.',
  })
  const [first, second] = await quotes(workspace, 'What does a locker cost?', 'How many of them are there?')
  expect(first).toContain('35 euros')
  expect(second).toContain('48 lockers')
})

test('a follow-up knows what amends the documents of the conversation', async () => {
  const workspace = await workspaceOf('lease', {
    'lease.md':
      '# Lease of the flat in Mill Lane\n\nThe tenant is Ann Sorel. The tenant pays a deposit of 800 euros to the landlord.',
    'amendment.md':
      '# Amendment to the lease of the flat in Mill Lane\n\nThe deposit that the tenant pays to the landlord is increased to 900 euros.',
    'boat.md': '# Boat\n\nThe boat has a deposit of 50 euros.',
  })
  const [, second] = await quotes(
    workspace,
    'Who is the tenant of the flat in Mill Lane?',
    'And how high is the deposit?',
  )
  expect(second).toContain('900 euros')
})
