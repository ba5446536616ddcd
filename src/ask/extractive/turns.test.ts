import { describe, expect, test } from 'vitest'
import { repliesIn, turnsIn, withWordsOfName } from './turns.ts'

const speakers = (text: string): string[] => turnsIn(text).map(({ speaker }) => speaker)

describe('the turns of a conversation', () => {
  test.each([
    ['a chat', 'Ada: Shall we meet?\nBo: Yes. At noon.\nAda: Fine.', ['Ada', 'Bo', 'Ada']],
    [
      'an exported chat with times',
      '[12/03/26, 10:15] Ada Birch: Hi.\n[12/03/26, 10:16] Bo: Hello.\n[12/03/26, 10:17] Ada Birch: Bye.',
      ['Ada Birch', 'Bo', 'Ada Birch'],
    ],
    [
      'a transcript with roles',
      'INTERVIEWER: When did it start?\n\nDr. Okoye (Leeds): In May.\n\nINTERVIEWER: And then?\n\nDr. Okoye (Leeds): Rain.',
      ['INTERVIEWER', 'Dr. Okoye', 'INTERVIEWER', 'Dr. Okoye'],
    ],
    [
      'under a first line that is none',
      'Time: 10:00\nAda: Hi.\nBo: Hi.\nAda: Bye.\nBo: Bye.',
      ['Time', 'Ada', 'Bo', 'Ada', 'Bo'],
    ],
  ])('%s', (_name, text, expected) => {
    expect(speakers(text)).toEqual(expected)
  })

  test.each([
    ['a record', 'Lead: Greta Olsen\nBudget: 20,000 euros\nCountry: Norway'],
    [
      'prose with a colon',
      'One thing is certain: rain. It fell.\nThe pump failed. It was old.\nNobody came.',
    ],
    ['notes of one kind', 'Note: dry.\nNote: wet.\nNote: cold.'],
    ['a line or two', 'Ada: Hi.\nBo: Hi.'],
  ])('%s is none', (_name, text) => {
    expect(turnsIn(text)).toEqual([])
  })

  test('offsets are those of the lines', () => {
    const text = 'Ada: Hi.\nBo: Yes.\nAda: Bye.'
    expect(turnsIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(text.split('\n'))
  })
})

test('a turn answers what another one asks in the turn before', () => {
  const text =
    '[02/06/2026, 09:14] Tobias: We open soon. Has anybody got the receipt for the velvet? 🙂 It is lost.\nCarla: It is in my bag.\nCarla: Why?\nCarla: Well.\nTobias: Fine.\nMaeve: Good.'
  expect(
    repliesIn(text, turnsIn(text)).map(({ question, start, end }) => [question, text.slice(start, end)]),
  ).toEqual([['Has anybody got the receipt for the velvet?', 'Carla: It is in my bag.']])
})

test('a name that is written as one word has its words too', () => {
  expect(withWordsOfName('HaileyJohnson')).toBe('HaileyJohnson Hailey Johnson')
  expect(withWordsOfName('Ada Birch')).toBe('Ada Birch')
})
