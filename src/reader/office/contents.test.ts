// Tables of contents without a style, as blocks of any Office kind.

import { expect, test } from 'vitest'
import type { Block } from '../block.ts'
import { joinContents } from './contents.ts'

const entries = ['1 Scope\t2', '1.1 Buoys\t2', '2 Fees\t3'].map(
  (text): Block => ({ kind: 'paragraph', text }),
)
const headings = ['Scope', 'Buoys', 'Fees'].map((text): Block => ({ kind: 'heading', text, level: 1 }))

test('entries of headings below are a list, those of nothing and rows of tabs are what they were', () => {
  expect(joinContents([...entries, ...headings])).toEqual([
    { kind: 'list', text: '1 Scope\t2\n  1.1 Buoys\t2\n2 Fees\t3' },
    ...headings,
  ])
  expect(joinContents(entries)).toEqual(entries)
  const tabs: Block[] = [{ kind: 'paragraph', text: `Name${'\t'.repeat(20_000)}Place` }]
  expect(joinContents([...tabs, ...headings])).toEqual([...tabs, ...headings])
})
