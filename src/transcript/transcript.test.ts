import { expect, test } from 'vitest'
import { parseBytes } from '../../test/support/files/parse.ts'
import { conversationDocx } from './docx.ts'
import { conversationMarkdown, fileNameOf, type Turn } from './markdown.ts'
import { quoteOf, sourcesOf, withDots } from './source.ts'

const citation: Turn['citations'][number] = {
  number: 1,
  state: 'current',
  text: 'The lease begins in 2019.\nThe parties agree. The rent is £38,400 a year.',
  spans: [{ start: 45, end: 72 }],
  chunk_id: null,
  document_id: null,
  document_title: 'Lease [2019]',
  page: 2,
  source_url: 'https://kenning.example/w/1/d/2?page=2',
}
const turns = [
  {
    question: 'What is the *rent*\nof <Unit 4>?',
    answer:
      'The rent is **£38,400** & paid in parts [1].\n\n- one\n- two\n\n| Year | Rent |\n| --- | --- |\n| 2019 | 38,400 |',
    citations: [citation],
    created_at: '2026-11-29T16:50:07.000Z',
  },
  {
    question: 'And\u0001 now?',
    answer: 'I did not find this.',
    citations: [],
    created_at: '2026-11-30T08:00:00.000Z',
  },
]

test('a conversation as Markdown has its questions as headings and numbered sources', () => {
  expect(conversationMarkdown('Rent', turns)).toBe(
    [
      '# Rent',
      '## What is the \\*rent\\* of \\<Unit 4\\>?',
      '*2026-11-29 16:50 UTC*',
      turns[0]?.answer,
      'Sources:',
      '1. [Lease \\[2019\\], page 2](https://kenning.example/w/1/d/2?page=2)',
      '## And\u0001 now?',
      '*2026-11-30 08:00 UTC*',
      'I did not find this.',
    ].join('\n\n'),
  )
})

test('a conversation for Word is read back whole', async () => {
  const { blocks } = await parseBytes('docx', Buffer.from(conversationDocx('Rent', turns)))
  const text = JSON.stringify(blocks)
  for (const part of [
    'What is the *rent*',
    '<Unit 4>',
    'The rent is £38,400 & paid in parts [1].',
    '• one',
    '38,400',
    '1. Lease [2019], page 2',
    '2026-11-29 16:50 UTC',
    'The parties agree. The rent is £38,400 a year.',
    'And now?',
    'I did not find this.',
  ])
    expect(text).toContain(part)
  expect(blocks.map(({ kind }) => kind)).toContain('table')
  // What is around the cited sentence stays away.
  expect(text).not.toContain('The lease begins')
  // The file is not compressed.
  expect(new TextDecoder().decode(conversationDocx('Rent', turns))).toContain(
    'HYPERLINK &quot;https://kenning.example/w/1/d/2?page=2&quot;',
  )
})

test('the lines of a quotation are lines in Word too', () => {
  const quoted = { ...citation, text: 'The lease.\nThe rent.', spans: [] }
  const turn = {
    ...turns[1],
    question: 'Why?',
    answer: 'A\nB',
    citations: [quoted],
    created_at: '2026-11-29',
  }
  const file = new TextDecoder().decode(conversationDocx('Rent', [turn]))
  expect(file).toContain('>The lease.</w:t><w:br/><w:t xml:space="preserve">The rent.<')
  expect(file).toContain('>A B<')
})

test('a quotation has the paragraph of the cited sentence, of a table its head and the cited row', () => {
  const marked = (text: string, cited: string) => {
    const start = text.indexOf(cited)
    const quote = quoteOf({ text, spans: [{ start, end: start + cited.length }] })
    return { text: quote.text, cited: quote.spans.map((span) => quote.text.slice(span.start, span.end)) }
  }
  expect(marked('One.\n\nTwo. Three.\n\nFour.', 'Three.')).toEqual({ text: 'Two. Three.', cited: ['Three.'] })
  const table = '| Year | Rent |\n| --- | --- |\n| 2019 | 38,400 |\n| 2020 | 41,200 |'
  expect(marked(table, '| 2020 | 41,200 |')).toEqual({
    text: '  Year · Rent  \n  2020 · 41,200  ',
    cited: ['  2020 · 41,200  '],
  })
  // A text that begins within a table has no head of it.
  expect(marked('| 2019 | 38,400 |\n| 2020 | 41,200 |', '| 2020 | 41,200 |').text).toBe('  2020 · 41,200  ')
  // The head of a table of which nothing is cited is left out, and the one of the next table is not.
  expect(
    marked(`${table}\n\nThe fees.\n\n| Year | Fee |\n| --- | --- |\n| 2021 | 5 |`, '| 2021 | 5 |').text,
  ).toBe('  Year · Fee  \n  2021 · 5  ')
  expect(marked(`The fees.\n${table}`, 'The fees.').text).toBe('The fees.')
  expect(quoteOf({ text: 'All of it.', spans: [] })).toEqual({ text: 'All of it.', spans: [] })
})

test('dots in place of the rules of a table leave every letter where it was', () => {
  const text = 'One | two.\n| Year | A\\|B |\n| --- | --- |\n| 2019 | 5 |'
  expect(withDots(text)).toBe('One | two.\n  Year · A\\|B  \n             \n  2019 · 5  ')
  expect(withDots(text)).toHaveLength(text.length)
})

test('a source from a service of an earlier version, which sends no spans, is quoted whole', () => {
  const { spans: _, ...withoutSpans } = citation
  const [source] = sourcesOf([withoutSpans as typeof citation])
  expect(source && quoteOf(source).text).toBe(citation.text)
})

test('a file is named after its conversation', () => {
  expect(fileNameOf('Rent: 2019/2024?')).toBe('Rent 2019 2024')
  expect(fileNameOf('???')).toBe('Conversation')
})
