// Every fault of test/faults.md has a test that is named after it, so that `-t` and KENNING_FAULT_ROUNDS
// find it.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FAULTS = Array.from({ length: 19 }, (_, no) => `F-${String(no + 1).padStart(2, '0')}`)

const namesIn = (text: string): string[] => text.match(/(?<=['`])F-\d\d(?=: )/g) ?? []

test('each fault has a test', () => {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name.endsWith('.test.ts'))
      .map(({ parentPath, name }) => join(parentPath, name)),
  )
  const named = new Set(files.flatMap((file) => namesIn(readFileSync(file, 'utf8'))))
  expect([...named].sort()).toEqual(FAULTS)
  const page = readFileSync('test/faults.md', 'utf8')
  expect(FAULTS.filter((fault) => !page.includes(`| ${fault} `))).toEqual([])
})
