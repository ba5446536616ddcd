import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packageFile } from '../../../package-file.ts'
import { openSentenceModel } from './embed-texts.ts'
import { DIMENSIONS, MAX_TOKENS, openEncoder } from './encoder.ts'
import { MODEL_PATH, parseModelFile, readModelFile } from './model-file.ts'
import { plainSentences } from './plain-sentences.ts'
import { sentenceModel } from './sentence.ts'
import { tokenizer } from './tokenizer.ts'

const path = packageFile(MODEL_PATH)
const file = parseModelFile(readFileSync(path))
const tokenize = tokenizer(file.vocabulary)
const piecesOf = (text: string): string[] =>
  tokenize(text, MAX_TOKENS).map((number) => file.vocabulary.pieces[number] ?? '')

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

describe('the tokenizer', () => {
  test.each([
    ['Who foots the bill?', '▁Who ▁foot s ▁the ▁bill ?'],
    ['Dental  insurance\nin the US', '▁Den tal ▁insurance ▁in ▁the ▁US'],
    ['ratio: 3', '▁ratio : ▁3'],
  ])('%s', (text, pieces) => expect(piecesOf(text).join(' ')).toBe(pieces))

  test('what is in no piece is unknown, a character of two units once', () => {
    expect(tokenize('𝕏', MAX_TOKENS).filter((number) => number === 0)).toHaveLength(0)
    expect(tokenize('a 🦉 b', MAX_TOKENS).filter((number) => number === 0)).toHaveLength(1)
  })

  test('a long text ends at the limit', () => {
    expect(tokenize('word '.repeat(10_000), MAX_TOKENS)).toHaveLength(MAX_TOKENS)
  })
})

// The first numbers of each vector, computed with float weights in a plain implementation of the graph (numpy).
const REFERENCE: [string, number[]][] = JSON.parse(
  readFileSync(new URL('./reference.json', import.meta.url), 'utf8'),
)

describe('the encoder', () => {
  const encode = openEncoder(file)

  test('has the vectors of the graph with its float weights', () => {
    const vectors = encode(REFERENCE.map(([text]) => tokenize(text, MAX_TOKENS)))
    REFERENCE.forEach(([text, expected], i) => {
      const vector = vectors.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS)
      expect(cosine(vector, expected), text).toBeGreaterThan(0.999)
    })
  })

  test('a text has the same vector whatever it is encoded with', () => {
    const texts = REFERENCE.map(([text]) => tokenize(text, MAX_TOKENS))
    const together = encode([...texts, ...texts, ...texts].reverse())
    texts.forEach((pieces, i) => {
      const alone = encode([pieces])
      const at = texts.length * 3 - 1 - i
      expect(cosine(alone, together.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS))).toBeGreaterThan(
        0.99999,
      )
    })
  })

  test('refuses a text without pieces', () => {
    expect(() => encode([[]])).toThrow(RangeError)
  })
})

test('a damaged file is refused', () => {
  expect(() => readModelFile(path, '0'.repeat(64))).toThrow(/damaged/)
})

test('markup is no language', () => {
  const text =
    '# Leave\n\n| A | B |\n|---|---|\n| **Sick** | see [the page](https://example.org) |\n\nIt is paid. Ask.'
  expect(plainSentences(text)).toEqual(['Leave', 'A B', 'Sick see the page', 'It is paid.', 'Ask.'])
})

test('a question is nearer to its answer in other words than to another passage', () => {
  const embed = openSentenceModel()
  const { vectors, dimensions } = embed(
    [
      'Dental insurance in the US is provided through MetLife. All employees are covered.',
      'Bugs are mended between two cycles. That is when product teams deal with defects.',
      '| 1 | 2 |',
    ],
    'passage',
  )
  const [right, wrong, none] = [0, 1, 2].map((i) => vectors.subarray(i * dimensions, (i + 1) * dimensions))
  const question = embed(['Who foots the bill when my teeth need fixing?'], 'query').vectors
  expect(cosine(question, right ?? [])).toBeGreaterThan(1.5 * cosine(question, wrong ?? []))
  expect(none?.every((number) => number === 0)).toBe(true)
})

test('a query of words that the model does not know has a short vector', () => {
  const embed = openSentenceModel()
  const lengthOf = (query: string): number => Math.hypot(...embed([query], 'query').vectors)
  expect(lengthOf('who pays for my new chair')).toBeGreaterThan(0.6)
  expect(lengthOf('deamination of cytidines by APOBEC3G')).toBeLessThan(0.3)
  expect(Math.hypot(...embed(['deamination of cytidines by APOBEC3G'], 'passage').vectors)).toBeCloseTo(1)
})

test('the thread answers in order, and has no vector for a text without words', async () => {
  const model = sentenceModel()
  const [one, none] = await model.embed(['A lighthouse keeper mends the lamp.', '—'], 'passage')
  expect(one).toHaveLength(await model.dimensions())
  expect(none).toBeUndefined()
})
