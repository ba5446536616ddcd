import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/support/full.ts'
import { crane, lease, passage, price } from '../../../test/support/harbour-passages.ts'
import { codePoints } from '../../contract/fields.ts'
import type { Passage } from '../../search/passage.ts'
import { verifyProse } from './prose.ts'
import { verifyCitations } from './verify.ts'

// 100,000 once for the record (docs/decisions/0020-conversations.md): 1,000 replies take 2 s.
const RUNS = Number(process.env.KENNING_TEST_RUNS ?? runs(1000))

const seen = [lease, crane, price]

describe('verifyCitations', () => {
  it('numbers by first appearance and cites exactly the markers', () => {
    const { answer, citations } = verifyCitations(
      'The crane lifts 12 tonnes [2]. Six months written notice ends the lease [1]; the crane was inspected in 2024 [2].',
      seen,
    )
    expect(answer).toBe(
      'The crane lifts 12 tonnes [1]. Six months written notice ends the lease [2]; the crane was inspected in 2024 [1].',
    )
    expect(citations.map(({ number, text }) => [number, text])).toEqual([
      [1, crane.text],
      [2, lease.text],
    ])
    expect(citations[0]).toMatchObject({
      chunk_id: crane.chunk_id,
      page: 2,
      document_title: 'Harbour lease',
      source_url: null,
    })
  })

  it.each([
    ['[1, 2]', '[1][2]'],
    ['[1][2]', '[1][2]'],
    ['[[2]]', '[1]'],
    ['[1-2]', '[1][2]'],
    ['【2】', '[1]'],
    ['［２］', '[1]'],
    ['［1、2］', '[1][2]'],
    ['【2†source】', '[1]'],
    ['[1] [2] [1]', '[1][2]'],
  ])('reads %s as %s', (marker, expected) => {
    const text = 'The lease may be ended and the crane lifts 12 tonnes'
    expect(verifyCitations(`${text} ${marker}.`, seen).answer).toBe(`${text} ${expected}.`)
  })

  it('leaves code, links and escaped brackets alone', () => {
    const reply = [
      'Written notice ends the lease [1], see [2](https://example.org) and \\[2\\].',
      '',
      '```',
      'array[2] = [3]',
      '```',
      'Use `list[2]` too.',
    ].join('\n')
    const { answer, citations } = verifyCitations(reply, seen)
    expect(answer).toBe(reply)
    expect(citations.map((citation) => citation.number)).toEqual([1])
  })

  it('repairs an unknown number when one passage fits, and removes it when none does', () => {
    expect(verifyCitations('Six months written notice ends the lease [9].', seen)).toMatchObject({
      answer: 'Six months written notice ends the lease [1].',
      citations: [{ number: 1, text: lease.text }],
    })
    expect(verifyCitations('Penguins breed on the southern shore [9].', seen)).toEqual({
      answer: 'Penguins breed on the southern shore.',
      citations: [],
      stored: [],
      unsupported: 0,
    })
  })

  it('drops a marker whose passage does not support the statement, keeps it for a shared number', () => {
    expect(verifyCitations('Penguins breed on the southern shore [1].', seen).citations).toEqual([])
    expect(
      verifyCitations('Heavier boats, at most 12 metric tons in total, use the travelling hoist [2].', seen)
        .citations,
    ).toHaveLength(1)
  })

  it('removes link definitions that would turn markers into links', () => {
    const { answer, citations } = verifyCitations(
      'Written notice ends the lease [1].\n\n[1]: https://evil.example',
      seen,
    )
    expect(answer).toBe('Written notice ends the lease [1].')
    expect(citations).toHaveLength(1)
  })

  it('cites a window around the supporting sentence of a long passage', () => {
    const filler = 'The tide tables hang in the office and are renewed each January. '.repeat(40)
    const long = passage(4, `${filler}The moorings are let to members only. ${filler}`)
    const { citations } = verifyCitations('The moorings are let to members only [1].', [long])
    const text = citations[0]?.text ?? ''
    expect(text).toContain('The moorings are let to members only.')
    expect(codePoints(text)).toBeLessThanOrEqual(1500)
    expect(codePoints(text)).toBeGreaterThan(1400)
    expect(long.text).toContain(text)
  })

  it('cites the quoted rows of a long table and not its header', () => {
    const line = (n: number): string => `| S${n} | Supplier number ${n} | PN-${n} | ${n} |`
    const lines = Array.from({ length: 90 }, (_, n) => line(n + 100))
    const head = '| supplier_id | supplier | part_number | lead_time_weeks |\n| --- | --- | --- | --- |'
    const table = passage(4, `${head}\n${lines.join('\n')}`, { type: 'table' })
    const row = (n: number): string =>
      `- supplier_id: S${n} · supplier: Supplier number ${n} · part_number: PN-${n} · lead_time_weeks: ${n} — list [1]`
    const { citations } = verifyCitations([row(160), row(165), row(171)].join('\n'), [table])
    for (const n of [160, 165, 171]) expect(citations[0]?.text).toContain(line(n))
  })

  it('locates what stands in the head of a table, where there are no rows with it', () => {
    const text =
      '| For the landlord: ________ | For the tenant: ________ |\n| --- | --- |\n| Edda Larsen, director | |'
    const head = passage(4, text.replace('\n| Edda Larsen, director | |', ''), { type: 'table' })
    const quote = '“For the landlord: For the tenant:” — Lease [1]'
    const { stored } = verifyCitations(quote, [head])
    expect(stored[0]?.spans.map(({ start, end }) => head.text.slice(start, end))).toEqual([
      '| For the landlord: ________ | For the tenant: ________ |',
    ])
    const rows = verifyCitations('“For the landlord: Edda Larsen, director” [1]', [passage(4, text)])
    expect(rows.stored[0]?.spans.map(({ start, end }) => text.slice(start, end))).toEqual([
      '| Edda Larsen, director | |',
    ])
  })

  it('cites for the quotation and not for the source named after it', () => {
    const filler = 'The tide tables hang in the office and are renewed each January. '.repeat(40)
    const long = passage(4, `${filler}The moorings are let to members only. Guests pay a fee. ${filler}`)
    const quote = '- “The moorings are let to members only. Guests pay a fee.” — Harbour rules, page 2 [1]'
    const { stored, citations } = verifyCitations(quote, [long])
    expect(stored[0]?.spans.map(({ start, end }) => long.text.slice(start, end))).toEqual([
      'The moorings are let to members only.',
      'Guests pay a fee.',
    ])
    expect(citations[0]?.text).toContain('The moorings are let to members only.')
  })

  it('generated replies: markers equal numbers, 1 to k, verbatim texts', () => {
    fc.assert(fc.property(reply, passages, fc.boolean(), fc.boolean(), holds), { numRuns: RUNS })
  })

  it('is stable: verifying an answer again changes nothing', () => {
    fc.assert(
      fc.property(reply, passages, (text, known) => {
        const first = verifyCitations(text, known)
        const cited = first.citations.flatMap((c) =>
          known.filter((p) => p.chunk_id === c.chunk_id).slice(0, 1),
        )
        expect(verifyCitations(first.answer, cited).answer).toBe(first.answer)
      }),
      { numRuns: RUNS / 10 },
    )
  })
})

const word = fc.constantFrom(
  'lease',
  'notice',
  'crane',
  '12',
  'tonnes',
  'Ines',
  'Okafor',
  'penguins',
  'MF-204',
  '€14.50',
  '😀',
  'é',
  '水道',
  'the',
)
const number = fc.integer({ min: 0, max: 7 })
const marker = fc.oneof(
  number.map((n) => `[${n}]`),
  fc.tuple(number, number).map(([a, b]) => `[${a}, ${b}]`),
  fc.tuple(number, number).map(([a, b]) => `[${a}-${b}]`),
  number.map((n) => `[[${n}]]`),
  number.map((n) => `【${n}】`),
  number.map((n) => `【${n}†L1】`),
  number.map((n) => `\\[${n}\\]`),
  number.map((n) => `[${n}](https://x.example)`),
  number.map((n) => `[^${n}]`),
  number.map((n) => `［${n}］`),
  number.map((n) => `[[${n}],[${n + 1}]]`),
  fc.constantFrom(
    '[0]',
    '[007]',
    '[99999]',
    '[1-9999]',
    '[5-2]',
    '[1,,2]',
    '[1–3]',
    '[ 2 ]',
    '[1;2]',
    '[2]: http://x',
    '[Source 2]',
  ),
)
const scrap = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  '. ',
  ', ',
  '\n',
  '\n\n',
  '- ',
  '> ',
  '# ',
  '`',
  '```\n',
  '~~~\n',
  '    ',
  '*',
  '**',
  '[',
  ']',
  '(',
  ')',
  '\\',
  '!',
  '|',
  '<b>',
  '</b>',
  '<!--',
  '&#91;',
  ': ',
  '[1]: x',
  '\t',
  '\r\n',
  '](',
  '\u200b',
  '\ud83d',
)
const reply = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: word },
      { weight: 4, arbitrary: marker },
      { weight: 5, arbitrary: scrap },
    ),
    {
      maxLength: 24,
    },
  )
  .map((parts) => parts.join(''))
const body = fc.oneof(
  { weight: 30, arbitrary: fc.array(word, { maxLength: 12 }).map((parts) => parts.join(' ')) },
  fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.integer({ min: 100, max: 900 }))
    .map(([parts, n]) => `${parts.join(' ')}. `.repeat(n)),
  fc.integer({ min: 1400, max: 2000 }).map((n) => '水😀'.repeat(n)),
)
const passages = fc.array(body, { maxLength: 4 }).map((texts) => texts.map((text, i) => passage(i + 1, text)))

function holds(text: string, given: Passage[], prose: boolean, foreign: boolean): void {
  const known = foreign ? given.map((one) => ({ ...one, language: 'de' as const })) : given
  const calculated = [{ result: '12', sources: known.slice(1, 2) }]
  const { answer, citations, stored } = prose
    ? verifyProse(text, { passages: known, calculations: calculated })
    : verifyCitations(text, known)
  const shown = markersShown(answer)
  expect([...new Set(shown)]).toEqual(citations.map((citation) => citation.number))
  expect(citations.map((citation) => citation.number)).toEqual(citations.map((_, i) => i + 1))
  expect(stored.map((place) => place.number)).toEqual(citations.map((citation) => citation.number))
  for (const { chunk_id, spans } of stored) {
    const source = known.find((candidate) => candidate.chunk_id === chunk_id)?.text ?? ''
    for (const { start, end } of spans) expect(0 <= start && start < end && end <= source.length).toBe(true)
  }
  for (const citation of citations) {
    const source = known.find((candidate) => candidate.chunk_id === citation.chunk_id)
    expect(source?.text.includes(citation.text)).toBe(true)
    expect(codePoints(citation.text)).toBeLessThanOrEqual(1500)
    expect(citation.text.isWellFormed() || !source?.text.isWellFormed()).toBe(true)
  }
}

/** An independent oracle: the plain text of the rendered answer, with code and links replaced and escapes hidden. */
function markersShown(answer: string): number[] {
  const shown: number[] = []
  const visit = (node: { type: string; value?: string; children?: unknown[]; position?: unknown }): void => {
    if (node.type === 'text') {
      const { start, end } = node.position as { start: { offset: number }; end: { offset: number } }
      const source = answer.slice(start.offset, end.offset).replace(/\\[\\[\]]/g, '..')
      shown.push(...[...source.matchAll(/\[(\d{1,4})\]/g)].map((match) => Number(match[1])))
    }
    if (/^(?:link|image|definition)/.test(node.type)) return
    for (const child of node.children ?? []) visit(child as typeof node)
  }
  visit(fromMarkdown(answer) as Parameters<typeof visit>[0])
  return shown
}
