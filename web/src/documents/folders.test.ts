// Which folders of the tree are visible, and where the keys lead.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ancestorsOf,
  folderToFollow,
  isFolderName,
  isWithin,
  pathAfter,
  pathIn,
  stepOfKey,
  treeItems,
  typedFolder,
  visibleItems,
} from './folders.ts'

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

test('a folder that is moved takes what is below it along, and nothing whose name only begins alike', () => {
  const move = { from: 'Reports', to: 'Archive/Reports' }
  expect(['Reports', 'Reports/2023/Q3', 'Reports 2', ''].map((path) => pathAfter(path, move))).toEqual([
    'Archive/Reports',
    'Archive/Reports/2023/Q3',
    'Reports 2',
    '',
  ])
  expect([pathIn('', 'a'), pathIn('a', 'b')]).toEqual(['a', 'a/b'])
  expect([isWithin('a', 'a'), isWithin('a/b', 'a'), isWithin('ab', 'a'), isWithin('a', '')]).toEqual([
    true,
    true,
    false,
    true,
  ])
})

test('a typed folder gets the form of paths, but what the service refuses stays as it is', () => {
  const typed = [' Archive\\2026/ ', './a//b/.', 'e\u0301', '', '/a', '../a']
  expect(typed.map(typedFolder)).toEqual(['Archive/2026', 'a/b', '\u00e9', '', '/a', '../a'])
  expect(['2026', 'a.b', '…'].every(isFolderName)).toBe(true)
  expect(['', '.', '..', 'a/b', 'a\\b'].some(isFolderName)).toBe(false)
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

test('a reader follows a folder, and back only if documents of where he is went back', () => {
  const move = { from: 'Reports/2023', to: 'Archive/2023' }
  expect(folderToFollow('Reports/2023/Q3', move)).toBe('Archive/2023/Q3')
  expect(folderToFollow('Reports', move)).toBeUndefined()
  const back = { from: move.to, to: move.from }
  const paths = ['Reports/2023/a.md', 'Reports/2023/Q3/b.md']
  const after = ['Archive/2023', 'Archive/2023/Q3', 'Archive/2023/Old', 'Archive']
  expect(after.map((folder) => folderToFollow(folder, back, paths))).toEqual([
    'Reports/2023',
    'Reports/2023/Q3',
    undefined,
    undefined,
  ])
})
