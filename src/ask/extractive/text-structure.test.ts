import { describe, expect, it } from 'vitest'
import { headingsIn, listsIn } from './text-structure.ts'

describe('listsIn', () => {
  it('takes a line that ends in a colon with the bullets below it', () => {
    const text =
      'The set is sold as one.\n\nIt has the following components:\n\n- pump P-4\n- hose, 3 m\n- filter\n\nAll are spare parts.'
    const [list] = listsIn(text, 'Contents')
    expect(list).toMatchObject({
      lead: 'It has the following components:',
      items: ['pump P-4', 'hose, 3 m', 'filter'],
    })
    expect(text.slice(list?.start, list?.end)).toBe(
      'It has the following components:\n\n- pump P-4\n- hose, 3 m\n- filter',
    )
  })

  it('uses the heading as the lead when there is no other', () => {
    expect(listsIn('1. Stop the pump.\n2. Close the valve.', 'Shutdown')).toMatchObject([
      { lead: 'Shutdown', items: ['Stop the pump.', 'Close the valve.'] },
    ])
  })

  it('takes short lines without bullets only under a colon, and only of one paragraph', () => {
    expect(listsIn('Parts:\npump\nhose\n\nThe pump is blue', '')[0]?.items).toEqual(['pump', 'hose'])
    expect(listsIn('pump\nhose', 'Parts')).toEqual([])
    expect(listsIn('Note:\nThis is a sentence of its own.\nAnd another.', '')).toEqual([])
  })

  it('takes lines that begin with a word and its number for steps', () => {
    expect(listsIn('Step 1: Stop the pump.\nStep 2: Close the valve.', 'Shutdown')).toMatchObject([
      { items: ['Stop the pump.', 'Close the valve.'], isOrdered: true },
    ])
  })

  it('makes no list of questions, which are a table of contents', () => {
    expect(listsIn('Contents:\n- What does it cost?\n- Who may use it?\n- Limits', '')).toEqual([])
    expect(listsIn('المحتويات:\n- كم يكلف القارب؟\n- من يستعير القارب؟\n- الحدود', '')).toEqual([])
  })

  it('makes no list of one item, of a table or of nothing', () => {
    expect(listsIn('Parts:\n- pump', 'x')).toEqual([])
    expect(listsIn('Prices:\n| a | b |\n| c | d |', '')).toEqual([])
    expect(listsIn('', 'x')).toEqual([])
  })
})

describe('headingsIn', () => {
  const texts = (text: string): string[] => headingsIn(text).map((heading) => heading.text)

  it('takes a numbered line directly above its text, but no item of a list', () => {
    expect(texts('3. Work\nThe pump was cleaned.\n\n4. Costs\nPump   1,340.00\nSum    1,944.00')).toEqual([
      '3. Work',
      '4. Costs',
    ])
    expect(texts('§ 5 Nutzung\nEin Laden.\n\n§ 6 Instandhaltung\nDie Mieterin trägt sie.')).toEqual([
      '§ 5 Nutzung',
      '§ 6 Instandhaltung',
    ])
    expect(
      texts('Rent.\n\nClause 4 The tenant shall pay the rent each month and keep\nthe rooms clean.'),
    ).toEqual([])
    expect(texts('1. Stop the pump\n2. Close the valve\n3. Call us')).toEqual([])
  })
})
