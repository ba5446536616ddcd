// Questions that repeat a heading or name its subject are answered by the text below it.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../src/contract/resources.ts'
import { bodyOf, type TestApp } from '../support/app.ts'
import { askLibrary } from '../support/ask-library.ts'

const files = {
  'visitors.md':
    '# Visitors\n\n## Can I bring my dog?\n\nYes, on Fridays.\n\n## Where do guests park?\n\nBehind the boiler house.\n\n## Is lunch free?\n\nNo.\n',
  'office-guide.md':
    '# Office guide\n\n## Moving in\n\n### Who gives me a key?\n\nThe porter.\n\n### May I paint my room?\n\nOnly in white.\n\n### What about shelves?\n\nAsk the carpenter first.\n\n## Working hours\n\nMonday to Thursday 8:00 to 16:30.\nFriday 8:00 to 13:00.\n',
  'it-handbook.md':
    '# IT handbook\n\n## Printers\n\nPrinters stand on each floor.\n\n## Resetting your password\n\n1. Open the sign-in page.\n2. Choose “Forgotten”.\n3. Follow the link in the mail.\n4. Pick a new one of twelve characters.\n\n## Backups\n\nThey run at night.\n',
  'questions.txt':
    'Frequently asked\n\nQ: When are wages paid?\nA: On the last Thursday.\n\nQ: Who signs for parcels?\nA: Reception, until five.\n',
  'rules-ja.md':
    '# 社内規則\n\n## 休暇\n\n有給休暇は年に二十日です。\n\n## 駐車場\n\n駐車場は北側の入口にあります。\n',
  'rules-zh.md':
    '# 员工手册\n\n## 假期\n\n每位员工每年有十五天带薪年假。\n\n## 停车\n\n停车场在大楼的后面。\n',
  'rules-ko.md':
    '# 사내 규정\n\n## 휴가\n\n연차 휴가는 일 년에 십팔일입니다.\n\n## 주차\n\n주차장은 건물 북쪽에 있습니다.\n',
  'leave.md':
    '# Leave by state\n\n## Leave in Colorado\n\n- Residents of Colorado may take leave for bonding or care, with the consent of the state.\n- Bonding with a new child, up to 16 weeks.\n\n## Leave in Oregon\n\n- Residents of Oregon may take leave too.\n- Bonding with a new child, up to 14 weeks.\n',
  'hire.md':
    '# Hiring the barn for the harvest party\n\nYou have the barn from noon until midnight. Music must be turned down at ten. Chairs for eighty people are in the loft.\n',
  'parcels.md':
    '# What it costs to send a parcel\n\n## Norpost\n\n| Over (kg) | Up to (kg) | Inland |\n|-|-|-|\n| 0 | 2 | 3.60 |\n| 2 | 5 | 5.10 |\n\n## Swift\n\n| Over (kg) | Up to (kg) | Inland |\n|-|-|-|\n| 0 | 1 | 4.20 |\n| 1 | 9 | 8.90 |\n',
  'foundation.md':
    '# Projects of the foundation\n\n## Project Aurora\n\nLead: Greta Olsen. Country: Norway. Budget: 20,000 euros.\n\n## Project Boreas\n\nLead: Marco Bellini. Country: Chile. Budget: 31,000 euros.\n\n## Project Cirrus\n\nLead: Greta Olsen. Country: Italy. Budget: 44,000 euros.\n',
  'hausordnung.md':
    '# Hausordnung\n\n## Darf ich grillen?\n\nJa, im Hof.\n\n## Ruhezeiten\n\nVon 22 bis 6 Uhr.\n',
}

let app: TestApp
let token: string
let workspace: string

beforeAll(async () => {
  ;({ app, token, workspace } = await askLibrary('house', files))
})
afterAll(() => app.close())

async function ask(question: string): Promise<Answer> {
  return bodyOf<Answer>(
    await app.send('POST', `/v1/workspaces/${workspace}/ask`, token, { body: { question } }),
  )
}

const HEDGED = /may not answer this directly|did not find this|nicht unmittelbar|nicht gefunden/

// The title has most of what is asked, and nothing below it says the rest.
test.each([
  'What was the menu of the harvest party?',
  'What was the date of the harvest party?',
  'What does Norpost charge for a parcel of 28 kg?',
])('not stated: %s', async (question) => {
  expect((await ask(question)).answer).toMatch(HEDGED)
})

test.each([
  ['Can I bring my dog?', ['Yes, on Fridays.'], 'Visitors'],
  ['Where do guests park?', ['Behind the boiler house.'], 'Visitors'],
  ['Is lunch free?', ['No.'], 'Visitors'],
  ['Who gives me a key?', ['The porter.'], 'Office guide'],
  ['May I paint my room?', ['Only in white.'], 'Office guide'],
  [
    'What are the working hours?',
    ['Monday to Thursday 8:00 to 16:30.', 'Friday 8:00 to 13:00.'],
    'Office guide',
  ],
  [
    'How do I reset my password?',
    ['Open the sign-in page.', 'Choose “Forgotten”.', 'Follow the link in the mail.', 'Pick a new one'],
    'IT handbook',
  ],
  ['When are wages paid?', ['On the last Thursday.'], 'Frequently asked'],
  ['Who signs for parcels?', ['Reception, until five.'], 'Frequently asked'],
  ['Darf ich grillen?', ['Ja, im Hof.'], 'Hausordnung'],
  ['Was sind die Ruhezeiten?', ['Von 22 bis 6 Uhr.'], 'Hausordnung'],
])('%s', async (question, said, title) => {
  const { answer, citations } = await ask(question)
  expect(answer).not.toMatch(HEDGED)
  let from = 0
  for (const text of said) {
    const at = answer.indexOf(text, from)
    expect(at, `${text}\nin this place of\n${answer}`).toBeGreaterThanOrEqual(0)
    from = at
  }
  expect(citations[0]?.document_title).toBe(title)
  for (const text of said) expect(citations[0]?.text).toContain(text)
})

test('a list under the heading says how long, in one of its items', async () => {
  const { answer } = await ask('How long is leave for bonding in Colorado?')
  expect(answer).toContain('up to 16 weeks')
  expect(answer).not.toMatch(HEDGED)
})

test.each(['Can I bring my parrot?', 'Who signs for furniture?', 'Darf ich rauchen?'])(
  'a heading that asks something else does not answer: %s',
  async (question) => {
    expect((await ask(question)).answer).toMatch(HEDGED)
  },
)

test.each([
  ['有給休暇は何日ですか？', '二十日'],
  ['駐車場はどこですか？', '北側の入口'],
  ['带薪年假有几天？', '十五天'],
  ['停车场在哪里？', '大楼的后面'],
  ['연차 휴가는 며칠입니까?', '십팔일'],
])('%s', async (question, said) => {
  const { citations } = await ask(question)
  expect(citations[0]?.text).toContain(said)
})

test('the name of a record is said with each of its lines', async () => {
  const budget = await ask('What is the budget of Project Boreas?')
  expect(budget.answer).toMatch(/Project Boreas[^\n]*Budget: 31,000 euros/)
  expect(budget.answer).not.toMatch(/20,000|44,000/)
  expect((await ask('Where is Project Boreas?')).answer).toMatch(/Project Boreas[^\n]*Country: Chile/)
  expect((await ask('How many projects does the foundation have?')).answer).toMatch(/^\*\*3\*\*/)
  expect((await ask('Which projects does Greta Olsen lead?')).answer).toMatch(
    /^\*\*Project Aurora, Project Cirrus\*\*/,
  )
  for (const question of ['Tell me about the budgets', 'What does the foundation do in Chile?']) {
    const { answer } = await ask(question)
    const lines = answer.split('\n').filter((line) => /^- .*(?:Budget|Country|Lead):/.test(line))
    expect(lines.filter((line) => !/Project (?:Aurora|Boreas|Cirrus)/.test(line))).toEqual([])
  }
})
