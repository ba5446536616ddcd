import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { batches, findFiles, formOf } from './files.ts'

const folder = mkdtempSync(join(tmpdir(), 'kenning-demo-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('finds accepted kinds in all folders, reports skipped files, ignores hidden ones', async () => {
  mkdirSync(join(folder, 'Contracts'))
  mkdirSync(join(folder, '.git'))
  for (const name of ['a.PDF', 'Contracts/b.docx', 'c.exe', '.git/d.txt'])
    writeFileSync(join(folder, name), 'x')
  const { files, skipped } = await findFiles(folder)
  expect(files.map(({ name }) => name)).toEqual(['Contracts/b.docx', 'a.PDF'])
  expect(skipped).toEqual(['c.exe (not an accepted kind)'])
  const [part] = (await formOf(files)).getAll('files')
  expect(part).toMatchObject({ name: 'Contracts/b.docx', size: 1 })
})

test('a folder that is missing or has no files is refused', async () => {
  await expect(findFiles(join(folder, 'none'))).rejects.toThrow('cannot be read')
  rmSync(join(folder, '.git', 'd.txt'))
  await expect(findFiles(join(folder, '.git'))).rejects.toThrow('has no file of an accepted kind')
})

test('no request has more than 20 files, and none is lost', () => {
  const files = Array.from({ length: 41 }, (_, no) => ({ path: '', name: `${no}`, bytes: 1 }))
  expect(batches(files).map((batch) => batch.length)).toEqual([20, 20, 1])
  expect(batches(files).flat()).toEqual(files)
})

test('the examples library has every accepted kind, and no page that answers its own questions', async () => {
  const { files } = await findFiles(new URL('../../examples/', import.meta.url).pathname)
  const kinds = new Set(files.map(({ name }) => name.split('.').at(-1)))
  expect([...kinds].sort()).toEqual('csv doc docx jpg md pdf png pptx txt xls xlsx'.split(' '))
  expect(files.length).toBeGreaterThanOrEqual(14)
  expect(files.map(({ name }) => name)).not.toContain('README.md')
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(3 * 1024 * 1024)
})
