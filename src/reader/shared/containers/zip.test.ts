// Zip bombs are refused by their directory alone; legitimate files pass.

import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder } from '../../../../test/support/files/parse.ts'
import { makeZip } from '../../../../test/support/files/zip.ts'
import { UnreadableFile } from '../../block.ts'
import { listZip, readZipEntry, refuseZipBomb } from './zip.ts'

const megabyte = 2 ** 20

function reason(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof UnreadableFile ? error.reason : String(error)
  }
}

test('entries, size and ratio are bounded', () => {
  const one = (unpacked: number) => [{ name: 'a', packed: 1, unpacked }]
  expect(reason(() => refuseZipBomb(one(500 * megabyte), 10 * megabyte))).toBeUndefined()
  expect(reason(() => refuseZipBomb(one(500 * megabyte + 1), 10 * megabyte))).toBe('too_large_unpacked')
  expect(reason(() => refuseZipBomb(one(100 * megabyte), megabyte))).toBeUndefined()
  expect(reason(() => refuseZipBomb(one(100 * megabyte + 1), megabyte))).toBe('too_large_unpacked')
  const many = Array.from({ length: 10_001 }, () => ({ name: 'a', packed: 1, unpacked: 1 }))
  expect(reason(() => refuseZipBomb(many.slice(1), megabyte))).toBeUndefined()
  expect(reason(() => refuseZipBomb(many, megabyte))).toBe('too_large_unpacked')
})

test('a small file that packs very well is no bomb', () => {
  const sparse = [{ name: 'xl/worksheets/sheet1.xml', packed: 9000, unpacked: 8 * megabyte }]
  expect(reason(() => refuseZipBomb(sparse, 12_000))).toBeUndefined()
})

test('a directory is listed and an entry read up to a bound', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'a.zip')
    await writeFile(path, await makeZip({ 'one.txt': 'first', 'dir/two.txt': 'x'.repeat(5000) }))
    expect((await listZip(path)).map(({ name, unpacked }) => [name, unpacked])).toEqual([
      ['one.txt', 5],
      ['dir/two.txt', 5000],
    ])
    expect((await readZipEntry(path, 'one.txt', 100))?.toString()).toBe('first')
    expect(await readZipEntry(path, 'three.txt', 100)).toBeUndefined()
    await expect(readZipEntry(path, 'dir/two.txt', 100)).rejects.toThrow()
    // A line end behind it, or the rest of a block.
    for (const behind of ['\n', '\0'.repeat(4000)]) {
      await appendFile(path, behind)
      expect(await listZip(path)).toHaveLength(2)
      expect((await readZipEntry(path, 'dir/two.txt', 5000))?.length).toBe(5000)
    }
    await writeFile(path, 'not a zip')
    await expect(listZip(path)).rejects.toThrow()
  }))
