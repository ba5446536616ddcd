import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDataDir } from './data-dir.ts'

const root = mkdtempSync(join(tmpdir(), 'data-dir-'))
afterAll(() => rmSync(root, { recursive: true }))

test('is made for its owner alone, and taken as it is the second time', () => {
  const path = join(root, 'a', 'b')
  makeDataDir(path)
  makeDataDir(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test.each([
  ['file', /file is a file, not a folder; .*KENNING_DATA_DIR/],
  ['file/below', /below a file.*KENNING_DATA_DIR/],
  ['x'.repeat(300), /too long.*KENNING_DATA_DIR/],
])('%s is refused in a sentence', (name, sentence) => {
  writeFileSync(join(root, 'file'), '')
  expect(() => makeDataDir(join(root, name))).toThrow(sentence)
})
