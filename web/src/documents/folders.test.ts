// Which folders of the tree are visible, and where the keys lead.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ancestorsOf, stepOfKey, treeItems, visibleItems } from './folders.ts'

const counted = (...paths: string[]) => paths.map((path) => ({ path, document_count: 1 }))
const paths = (items: readonly { path: string }[]): string[] => items.map(({ path }) => path)
const ITEMS = treeItems(
  counted('Reports', 'Reports/2023', 'Reports/2023/Q3', 'Reports 2', 'plans', 'Reports/2024'),
  7,
  'en',
)

test('folders follow the folder that contains them, in the order of the language and of numbers', () => {
  expect(paths(ITEMS)).toEqual([
    '',
    'plans',
    'Reports',
    'Reports/2023',
    'Reports/2023/Q3',
    'Reports/2024',
    'Reports 2',
  ])
  expect(ITEMS.map(({ level }) => level)).toEqual([1, 2, 2, 3, 4, 3, 2])
  expect(ITEMS.filter(({ isParent }) => isParent).map(({ path }) => path)).toEqual([
    '',
    'Reports',
    'Reports/2023',
  ])
  expect(paths(treeItems(counted('10', '9', 'ö', 'z'), 4, 'de'))).toEqual(['', '9', '10', 'ö', 'z'])
})

test('a folder is visible if every folder around it is open', () => {
  const visible = (...open: string[]) => paths(visibleItems(ITEMS, new Set(open)))
  expect(visible()).toEqual([''])
  expect(visible('', 'Reports/2023')).toEqual(['', 'plans', 'Reports', 'Reports 2'])
  expect(visible('', 'Reports')).toContain('Reports/2024')
})

test('the keys of a tree: right opens and enters, left closes and leaves, a letter leads to a name', () => {
  const at = (key: string, path: string, ...open: string[]) =>
    stepOfKey(key, visibleItems(ITEMS, new Set(open)), path, new Set(open))
  expect(at('ArrowRight', 'Reports', '')).toEqual({ open: 'Reports' })
  expect(at('ArrowRight', 'Reports', '', 'Reports')).toEqual({ focus: 'Reports/2023' })
  expect(at('ArrowRight', 'plans', '')).toBeUndefined()
  expect(at('ArrowLeft', 'Reports/2023', '', 'Reports')).toEqual({ focus: 'Reports' })
  expect(at('ArrowLeft', 'Reports', '', 'Reports')).toEqual({ close: 'Reports' })
  expect(at('ArrowLeft', 'Reports', '')).toEqual({ focus: '' })
  expect(at('ArrowLeft', '')).toBeUndefined()
  expect(at('ArrowDown', 'Reports 2', '')).toBeUndefined()
  expect(at('Home', 'Reports', '')).toEqual({ focus: '' })
  expect(at('End', '', '')).toEqual({ focus: 'Reports 2' })
  expect(at('r', 'Reports', '')).toEqual({ focus: 'Reports 2' })
  expect(at('r', 'Reports 2', '')).toEqual({ focus: 'Reports' })
  expect(at('x', 'Reports', '')).toBeUndefined()
  expect(at('PageDown', 'Reports', '')).toBeUndefined()
})

test('for any folders: each stands after the one around it, and the keys lead to visible folders only', () => {
  const step = fc.constantFrom('a', 'B', 'a 1', '%', 'é')
  const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'))
  const key = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'a')
  fc.assert(
    fc.property(fc.array(path), fc.array(path), key, (some, open, key) => {
      const all = new Set(some.flatMap((each) => [...ancestorsOf(each), each]).filter(Boolean))
      const items = treeItems(counted(...all), all.size, 'en')
      expect(new Set(paths(items))).toEqual(new Set(['', ...all]))
      for (const [index, { path: each, level }] of items.entries()) {
        expect(ancestorsOf(each).length).toBe(level - 1)
        const parent = ancestorsOf(each).at(-1)
        if (parent !== undefined) expect(paths(items.slice(0, index))).toContain(parent)
      }
      const openFolders = new Set(['', ...open])
      const visible = visibleItems(items, openFolders)
      for (const { path: from } of visible) {
        const result = stepOfKey(key, visible, from, openFolders)
        if (result && 'focus' in result) expect(paths(visible)).toContain(result.focus)
        if (result && 'open' in result) expect(openFolders.has(from)).toBe(false)
        if (result && 'close' in result) expect(openFolders.has(from)).toBe(true)
      }
    }),
  )
})
