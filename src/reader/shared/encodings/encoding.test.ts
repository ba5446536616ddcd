// Bytes that are almost valid in an encoding.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder } from '../../../../test/support/files/parse.ts'
import { decodeText, fileEncoding } from './encoding.ts'

const lines = [
  'Für Mängel haftet der Verkäufer der Geräte jährlich in voller Größe.\n',
  '売上高は前年同期比で増加しました。\n',
]

test('a broken byte in UTF-8 costs itself and nothing else, whatever the script', () => {
  for (const line of lines) {
    const text = line.repeat(20)
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0xfc]), Buffer.from(text)])
    expect(decodeText(bytes)).toBe(`${text}\ufffd${text}`)
  }
})

test('a broken byte far behind the first megabyte does not change what stands before it', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'far.txt')
    const ascii = 'Nothing but ASCII. '.repeat(60_000)
    await writeFile(path, Buffer.concat([Buffer.from(lines.join('') + ascii), Buffer.from([0xfc])]))
    expect(await fileEncoding(path)).toMatchObject({ name: 'utf-8' })
    await writeFile(path, Buffer.from(`${ascii}Für Mängel haftet der Verkäufer der Geräte.`, 'latin1'))
    expect(await fileEncoding(path)).toEqual({ name: 'windows-1252', other: 'utf-8' })
  }))
