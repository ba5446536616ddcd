// A search over MCP costs an assistant at most half of the tokens that it cost before results were shortened: in RESULTS.md, and
// now, over files of the example library that are read without OCR.

import { readFileSync } from 'node:fs'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AskLibrary, askLibrary } from '../test/support/ask-library.ts'
import { callRaw, textOf } from '../test/support/mcp.ts'
import { FORMER_TOKENS, QUERIES, TOOLS } from './mcp.ts'

const FILES = [
  'board-minutes-2026-03-12.docx',
  'budget-2026.xlsx',
  'general-meeting-2026.pptx',
  'lease-amendment-1.docx',
  'lease-ropewalk-yard.pdf',
  'move-planning-mail.txt',
  'staff-handbook.md',
  'suppliers.csv',
  'tg-40-data-sheet.pdf',
]
let library: AskLibrary

beforeAll(async () => {
  const example = (name: string): URL => new URL(`../examples/${name}`, import.meta.url)
  library = await askLibrary(
    'Examples',
    Object.fromEntries(FILES.map((name) => [name, readFileSync(example(name))])),
  )
})
afterAll(() => library?.app.close())

test.each(['search_passages'] as const)(
  'twenty typical searches by %s cost at most half of what they did',
  async (tool) => {
    const { app, token } = library
    const counts: number[] = []
    for (const query of QUERIES) {
      const text = textOf(await callRaw(app, token, tool, { query }))
      expect(text, query).toContain('passage')
      counts.push(encode(text).length)
    }
    expect(counts).toHaveLength(20)
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
    expect(mean / FORMER_TOKENS[tool]).toBeLessThanOrEqual(0.5)
  },
)

test('the means in RESULTS.md are at most half of what they were', () => {
  const results = readFileSync(new URL('./RESULTS.md', import.meta.url), 'utf8')
  const [, ...means] = /^\| \*\*mean\*\* \| \*\*([\d,]+)\*\* \| \*\*([\d,]+)\*\* \|$/m.exec(results) ?? []
  expect(means).toHaveLength(TOOLS.length)
  for (const [at, tool] of TOOLS.entries())
    expect(Number(means[at]?.replace(',', '')) / FORMER_TOKENS[tool]).toBeLessThanOrEqual(0.5)
})
