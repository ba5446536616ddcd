// Pages with endless unclosed elements: all of their text, in linear time.

import { expect, test } from 'vitest'
import { FULL } from '../../../../test/support/full.ts'
import { readHtml } from './html.ts'

const count = FULL ? 500_000 : 100_000

test(`${count} elements that are never closed are read to their end`, () => {
  const page = `<h1>Berths</h1>${'<div>pump '.repeat(count)}<h2>Annex</h2><p>Last words</p>`
  const { blocks } = readHtml(page)
  expect(blocks).toHaveLength(count + 3)
  expect(blocks.at(-2)).toMatchObject({ kind: 'heading', text: 'Annex', level: 2 })
  expect(blocks.at(-1)?.text).toBe('Last words')
})

test('what is closed behind them is closed', () => {
  const deep = '<div>pump '.repeat(12_000)
  const { blocks } = readHtml(`${deep}<b>a</b><ul><li>x</li></ul>${'</div>'.repeat(12_000)}<p>End</p>`)
  expect(blocks.at(-2)?.kind).toBe('list')
  expect(blocks.at(-1)).toMatchObject({ kind: 'paragraph', text: 'End' })
})
