import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { BadArchive, entriesOf, linesOf, packZip, streamOf, withArchive } from './zip.ts'

const fileOf = (no: number) => {
  const bytes = Buffer.from(`file ${no}`)
  const name = `folder/${String(no).padStart(60, '0')}`
  return { name, bytes: bytes.length, open: async () => Readable.from([bytes], { objectMode: false }) }
}

// Of some 700 files on, the directory has more than 64 kB, from which on yazl promised more bytes than it wrote.
test.each([0, 1, 700])('%d files have the size that was promised, and are read again', async (count) => {
  const { size, read } = await packZip(Array.from({ length: count }, (_, no) => fileOf(no)))
  const bytes = await buffer(read())
  expect(bytes.length).toBe(size)
  const folder = mkdtempSync(join(tmpdir(), 'kenning-zip-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'a.zip')
  writeFileSync(path, bytes)
  await withArchive([path], async (zip) => {
    let no = 0
    for await (const entry of entriesOf(zip)) {
      expect(entry.fileName).toBe(fileOf(no).name)
      if (no++ % 500 === 0)
        expect((await buffer(await streamOf(zip, entry))).toString()).toBe(`file ${no - 1}`)
    }
    expect(no).toBe(count)
  })
})

test.each([
  ['the end of its directory', 0x07064b50, 8],
  ['its directory', 0x06064b50, 48],
])(
  'one that names a place beyond its end for %s is refused, and ends no process',
  async (_, record, field) => {
    const bytes = await buffer((await packZip([fileOf(0)])).read())
    const signature = Buffer.alloc(4)
    signature.writeUInt32LE(record)
    bytes.writeBigUInt64LE(2n ** 63n, bytes.lastIndexOf(signature) + field)
    const folder = mkdtempSync(join(tmpdir(), 'kenning-zip-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'a.zip')
    writeFileSync(path, bytes)
    const names = withArchive([path], async (zip) => {
      for await (const entry of entriesOf(zip)) expect(entry).toBeDefined()
    })
    await expect(names).rejects.toThrow(BadArchive)
  },
)

test('a file that is not as long as it said ends the archive with an error, and one that cannot be opened', async () => {
  const short = { ...fileOf(1), bytes: 100 }
  await expect(buffer((await packZip([fileOf(0), short])).read())).rejects.toThrow()
  const absent = { ...fileOf(1), open: () => Promise.reject(new Error('gone')) }
  await expect(buffer((await packZip([absent])).read())).rejects.toThrow('gone')
})

test('a reader that leaves ends the file that is being read', async () => {
  const endless = new Readable({ read() {} })
  const left = new Promise((resolve) => endless.once('close', resolve))
  const out = (await packZip([{ name: 'a', bytes: 10, open: async () => endless }])).read()
  endless.push('half')
  await new Promise((resolve) => out.once('readable', resolve))
  out.destroy()
  await left
})

test('an archive in pieces, wherever it is cut', async () => {
  const bytes = await buffer((await packZip([fileOf(0), fileOf(1), fileOf(2)])).read())
  const folder = mkdtempSync(join(tmpdir(), 'kenning-zip-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const each of [1, 7, 64, bytes.length - 1, bytes.length, bytes.length + 1]) {
    const pieces: string[] = []
    for (let at = 0; at < bytes.length; at += each) {
      const path = join(folder, `${each} ${at}`)
      writeFileSync(path, bytes.subarray(at, at + each))
      pieces.push(path)
    }
    await withArchive(pieces, async (zip, size) => {
      expect(size).toBe(bytes.length)
      const texts: string[] = []
      for await (const entry of entriesOf(zip)) texts.push(String(await buffer(await streamOf(zip, entry))))
      expect(texts).toEqual(['file 0', 'file 1', 'file 2'])
    })
  }
})

test('lines, however they are cut; none longer than allowed', async () => {
  const of = async (pieces: string[], most = 100): Promise<string[]> => {
    const lines: string[] = []
    for await (const some of linesOf(Readable.from(pieces.map((piece) => Buffer.from(piece))), most))
      lines.push(...some)
    return lines
  }
  expect(await of(['a\nb', 'ü\n', '\n', 'c'])).toEqual(['a', 'bü', '', 'c'])
  expect(await of([])).toEqual([])
  await expect(of(['x'.repeat(60), 'x'.repeat(60)])).rejects.toThrow(BadArchive)
})
