import { expect, test } from 'vitest'
import { listTree, textBlocks } from './text-blocks.ts'

const kinds = (text: string) => textBlocks(text).map(({ kind }) => kind)

test('each part stands in the text where its position says', () => {
  const text =
    'Before the shift\n\n- Check the pumps\n  - main pump\n  of 1990\n- Sign\n\n```sh\nls -l\n\nexit\n```\n\nThe end.'
  for (const block of textBlocks(text))
    for (const part of block.kind === 'list' ? block.items : [block])
      expect(text.slice(part.start, part.start + part.text.length)).toBe(part.text)
  expect(kinds(text)).toEqual(['paragraph', 'list', 'code', 'paragraph'])
})

test('items lie in those above them, and lines without a mark belong to the item before', () => {
  const [list] = textBlocks('1. Connect\n2. Run\n   - twice\nas said\n7. Wait')
  if (list?.kind !== 'list') throw new Error('no list')
  const [first, second, third] = listTree(list.items)
  expect([first, second, third].map((branch) => branch?.item.number)).toEqual([1, 2, 7])
  expect(second?.children.map(({ item }) => item.text)).toEqual(['twice\nas said'])
})

test('an item deeper than one level below the one before lies directly below it', () => {
  const [list] = textBlocks('- a\n        - b\n- c')
  if (list?.kind !== 'list') throw new Error('no list')
  expect(list.items.map(({ depth }) => depth)).toEqual([0, 1, 0])
})

test('tasks say whether they are done', () => {
  const [list] = textBlocks('- [x] agreed\n- [ ] published\n- neither')
  if (list?.kind !== 'list') throw new Error('no list')
  expect(list.items.map(({ isDone, text }) => [isDone, text])).toEqual([
    [true, 'agreed'],
    [false, 'published'],
    [undefined, 'neither'],
  ])
})

test('code keeps its empty lines, also where the passage begins or ends inside it', () => {
  expect(textBlocks('```sh\na\n\n- b\n```')).toEqual([{ kind: 'code', text: 'a\n\n- b', start: 6 }])
  expect(textBlocks('Run:\n```sh\na\n\nb')).toEqual([
    { kind: 'paragraph', text: 'Run:', start: 0 },
    { kind: 'code', text: 'a\n\nb', start: 11 },
  ])
  expect(textBlocks('a\n\nb\n```\n\nThen wait.')).toEqual([
    { kind: 'code', text: 'a\n\nb', start: 0 },
    { kind: 'paragraph', text: 'Then wait.', start: 10 },
  ])
})

test('one numbered line is a paragraph; dashes and years inside of text are text', () => {
  expect(textBlocks('3. Notice is given in writing.')).toEqual([
    { kind: 'paragraph', text: '3. Notice is given in writing.', start: 0 },
  ])
  expect(kinds('A price - as agreed -\nof 2026. It holds.')).toEqual(['paragraph'])
  expect(kinds('-5 degrees')).toEqual(['paragraph'])
})

test('a fence without a language begins code where the next fence ends it', () => {
  expect(kinds('Run:\n```\nnpm ci\n```\nThen.')).toEqual(['paragraph', 'code', 'paragraph'])
})

test('a number at the beginning of a wrapped line is text', () => {
  expect(kinds('Der Vertrag beginnt am\n12. Mai 2026.\n13. Juni')).toEqual(['paragraph'])
})
