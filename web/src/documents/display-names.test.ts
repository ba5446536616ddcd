import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayNames, divideNames, namesOfPages } from './display-names.ts'

const divided = (names: string[]): string[] =>
  divideNames(names).map(({ beginning, difference, ending }) => `${beginning}|${difference}|${ending}`)

test('what differs is told apart from what other names begin and end with', () => {
  expect(
    divided([
      'Quarterly report of the harbour office 2023 Q3 AAPL',
      'Quarterly report of the harbour office 2023 Q4 AAPL',
      'Quarterly report of the harbour office 2022 Q3 MSFT',
      'Staff handbook',
    ]),
  ).toEqual([
    'Quarterly report of the harbour office |2023 Q3 AAPL|',
    'Quarterly report of the harbour office |2023 Q4 AAPL|',
    'Quarterly report of the harbour office |2022 Q3 MSFT|',
    '|Staff handbook|',
  ])
  expect(divided(['sales-report-2023-q3.pdf', 'sales-report-2023-q4.pdf'])).toEqual([
    'sales-report-2023-|q3|.pdf',
    'sales-report-2023-|q4|.pdf',
  ])
})

test('a word is never parted, and one name may be the beginning of another', () => {
  expect(divided(['Annual report of Halden', 'Annual report of Halden – north'])).toEqual([
    'Annual report of |Halden|',
    'Annual report of |Halden – north|',
  ])
  expect(divided(['Minutes of the board, March', 'Minutes of the board, May'])).toEqual([
    'Minutes of the board, |March|',
    'Minutes of the board, |May|',
  ])
})

test('a long difference is divided again among those that are similar there', () => {
  const between = 'between the municipality of Halden and the port authority'
  expect(
    divided([
      `Memorandum of understanding ${between} about cranes`,
      `Memorandum of understanding ${between} about pumps`,
      'Memorandum of understanding on ferries',
    ]),
  ).toEqual([
    `Memorandum of understanding ${between} about |cranes|`,
    `Memorandum of understanding ${between} about |pumps|`,
    'Memorandum of understanding |on ferries|',
  ])
})

test('scripts without spaces are divided between characters', () => {
  const years = [
    '二〇二三年度第三四半期決算短信日本基準連結東京',
    '二〇二三年度第三四半期決算短信日本基準連結大阪',
  ]
  expect(divided(years)).toEqual([
    '二〇二三年度第三四半期決算短信日本基準連結|東京|',
    '二〇二三年度第三四半期決算短信日本基準連結|大阪|',
  ])
  expect(
    divided([`${'ж'.repeat(20)}👩🏽`, `${'ж'.repeat(20)}👩🏿`]).map((name) => name.isWellFormed()),
  ).toEqual([true, true])
})

const words = fc.array(
  fc.constantFrom('report', 'of', 'the', 'harbour', '2023', 'Q3', 'Q4', '東京', '👩🏽', 'é'),
  {
    minLength: 1,
    maxLength: 14,
  },
)
const lists = fc.array(
  fc.tuple(words, fc.constantFrom(' ', '-', '')).map(([list, blank]) => list.join(blank)),
  { maxLength: 30 },
)

test('the parts of a name are the name, whole characters each; distinct names that begin alike differ in their difference', () => {
  fc.assert(
    fc.property(lists, (names) => {
      const parts = divideNames(names)
      for (const [index, { beginning, difference, ending }] of parts.entries()) {
        expect(beginning + difference + ending).toBe(names[index])
        expect(beginning.isWellFormed() && difference.isWellFormed() && ending.isWellFormed()).toBe(true)
      }
      for (const start of new Set(names.map((name) => name.slice(0, 12)))) {
        const group = [...names.entries()].filter(([, name]) => name.slice(0, 12) === start)
        const distinct = new Set(group.map(([, name]) => name))
        expect(new Set(group.map(([index]) => parts[index]?.difference)).size).toBe(distinct.size)
      }
    }),
  )
})

test('a title that three documents share gives way to the name of the file, or to its path where that is shared, too', () => {
  const documents = [
    { title: 'Annual report', filename: 'reports/north.pdf' },
    { title: 'Annual report – south', filename: 'reports/south.pdf' },
    { title: 'Annual report – east', filename: '2023/east.pdf' },
    { title: 'Annual report – 2024/east.pdf', filename: '2024/east.pdf' },
    { title: 'Tariff', filename: 'tariff-2024.pdf' },
    { title: 'Tariff – tariff-2025', filename: 'tariff-2025.pdf' },
    { title: 'rules', filename: 'port/rules.md' },
  ]
  expect(displayNames(documents).map(({ name, note }) => [name, note])).toEqual([
    ['north.pdf', 'Annual report'],
    ['south.pdf', 'Annual report'],
    ['2023/east.pdf', 'Annual report'],
    ['2024/east.pdf', 'Annual report'],
    ['Tariff', 'tariff-2024.pdf'],
    ['Tariff – tariff-2025', ''],
    ['rules', ''],
  ])
})

test('every document has a name, and no two of one path have the same', () => {
  const document = fc.record({
    title: fc.constantFrom('Annual report', 'ANNUAL REPORT', 'Tariff', ''),
    filename: fc.stringMatching(/^([ab]\/)?[ab]{1,2}\.(md|pdf)$/),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(document, { selector: ({ filename }) => filename, maxLength: 20 }),
      (documents) => {
        const shown = displayNames(documents)
        expect(shown.length).toBe(documents.length)
        for (const { name, parts } of shown)
          expect(parts.beginning + parts.difference + parts.ending).toBe(name)
        const byFile = shown.filter(({ name }, index) => name !== documents[index]?.title)
        expect(new Set(byFile.map(({ name }) => name)).size).toBe(byFile.length)
      },
    ),
  )
})

test('of a list in pages, a document is compared with those of the pages beside its own', () => {
  const page = (...years: number[]) =>
    years.map((year) => ({ title: `Report on the works at the quay ${year}`, filename: `${year}.pdf` }))
  const [first, second, third] = [page(2021, 2022), page(2023), page(2024)]
  const differences = (pages: (typeof first)[]): string[] =>
    namesOfPages(pages).map(({ parts }) => parts.difference)
  expect(differences([second])).toEqual(['Report on the works at the quay 2023'])
  expect(differences([first, second])).toEqual(['2021', '2022', '2023'])
  expect(differences([first, second, third])).toEqual(['2021', '2022', '2023', '2024'])
  expect(namesOfPages([first, second, third])[2]).toBe(namesOfPages([first, second, third])[2])
})
