import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { verifyReply } from './verify.ts'

const TEXT =
  'Jane Roe founded Acme Ltd in Leeds.\nThe World Health  Organization (WHO) praised Acme Ltd. Leedsman is no city.'
const batch = [{ text: 'Nothing here.' }, { text: TEXT }]
const entity = (id: string, name: string, type = 'organization', aliases: string[] = []) => ({
  id,
  name,
  type,
  aliases,
})
const said = (entities: unknown[], relations: unknown[] = []) =>
  verifyReply(batch, JSON.stringify({ entities, relations }))

describe('verify', () => {
  test('keeps what occurs in the text, with its positions', () => {
    const found = said(
      [entity('1', 'Jane Roe', 'person'), entity('2', 'Acme Ltd'), entity('3', 'Leeds', 'location')],
      [{ source: '1', target: '2', type: 'founded_by', quote: 'Jane Roe founded Acme Ltd in Leeds.' }],
    )
    expect(
      found?.mentions.map(({ chunk_no, surface, start, end }) => [chunk_no, surface, start, end]),
    ).toEqual([
      [1, 'Jane Roe', 0, 8],
      [1, 'Acme Ltd', 17, 25],
      [1, 'Acme Ltd', TEXT.lastIndexOf('Acme'), TEXT.lastIndexOf('Acme') + 8],
      [1, 'Leeds', 29, 34],
    ])
    expect(found?.relations).toEqual([
      { chunk_no: 1, head: 'jane roe', type: 'founded_by', tail: 'acme', start: 0, end: 35 },
    ])
  })

  test('an alias is another name of the entity; white space in a quote is free', () => {
    const found = said(
      [entity('1', 'WHO', 'organization', ['Acme']), entity('2', 'Acme Ltd')],
      [
        {
          source: '1',
          target: '2',
          type: 'related_to',
          quote: 'The World Health Organization (WHO) praised',
        },
      ],
    )
    expect(found?.mentions[0]).toMatchObject({ key: 'who', surface: 'WHO', own: true })
    expect(found?.relations).toHaveLength(1)
  })

  test.each([
    ['an invented name', [entity('1', 'John Smith', 'person')]],
    ['a name in another spelling', [entity('1', 'ACME LTD')]],
    ['part of a word', [entity('1', 'Leed', 'location')]],
    ['an alias without its name', [entity('1', 'Acme Holding', 'organization', ['Acme Ltd'])]],
    ['an invented type', [entity('1', 'Acme Ltd', 'spaceship')]],
    ['a number for a name', [entity('1', '42')]],
    ['no name', [{ id: '1', type: 'person' }]],
    ['something else than an object', ['Acme Ltd', null, 7]],
  ])('%s is left out', (_, entities) => {
    expect(said(entities)?.mentions).toEqual([])
  })

  const both = [entity('1', 'Jane Roe', 'person'), entity('2', 'Acme Ltd')]
  const quote = 'Jane Roe founded Acme Ltd'
  test.each([
    ['an invented quote', { source: '1', target: '2', type: 'owns', quote: 'Jane Roe owns Acme Ltd' }],
    ['an id that is not there', { source: '1', target: '9', type: 'owns', quote }],
    ['a type that is not listed', { source: '1', target: '2', type: 'hates', quote }],
    ['itself', { source: '2', target: '2', type: 'owns', quote }],
    ['no quote', { source: '1', target: '2', type: 'owns' }],
    ['an empty quote', { source: '1', target: '2', type: 'owns', quote: '   ' }],
  ])('a relation with %s is left out', (_, relation) => {
    expect(said(both, [relation])).toMatchObject({ relations: [] })
  })

  test('a quote from a chunk that mentions neither end is not accepted', () => {
    expect(
      said(both, [{ source: '1', target: '2', type: 'owns', quote: 'Nothing here.' }])?.relations,
    ).toEqual([])
  })

  test.each(['', 'no json', '{"entities": [', '[]', '{"entities": 5}', 'null'])('%j is no reply', (reply) => {
    expect(verifyReply(batch, reply)).toBeUndefined()
  })

  test('JSON between words or in a code fence is parsed', () => {
    expect(
      verifyReply(batch, `Here:\n\`\`\`json\n{"entities":[${JSON.stringify(both[0])}]}\n\`\`\``)?.mentions,
    ).toHaveLength(1)
  })

  test('for any reply every mention is verbatim and every relation has both ends', () => {
    const word = fc.constantFrom('Jane Roe', 'Acme Ltd', 'Leeds', 'WHO', 'Nobody', 'founded', '(WHO)', '')
    const anyEntity = fc.record({
      id: word,
      name: fc.oneof(word, fc.string()),
      type: word,
      aliases: fc.array(word),
    })
    const typed = anyEntity.map((one) => ({ ...one, type: 'organization' }))
    const relation = fc.record({
      source: word,
      target: word,
      type: fc.constant('owns'),
      quote: fc.oneof(word, fc.string()),
    })
    fc.assert(
      fc.property(fc.array(fc.oneof(anyEntity, typed)), fc.array(relation), (entities, relations) => {
        const found = said(entities, relations)
        const keys = new Set(found?.mentions.map(({ key }) => key))
        for (const { chunk_no, surface, start, end } of found?.mentions ?? [])
          expect(batch[chunk_no]?.text.slice(start, end)).toBe(surface)
        for (const { head, tail } of found?.relations ?? [])
          expect(keys.has(head) && keys.has(tail)).toBe(true)
      }),
    )
  })
})
