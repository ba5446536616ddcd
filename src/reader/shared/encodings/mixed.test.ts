// Files with lines or words of two encodings.

import { Readable } from 'node:stream'
import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { decodeText } from './encoding.ts'
import { mixedDecoder, mixedEncoding } from './mixed.ts'

const german = 'Der Schlüssel für das Büro hängt später am Türbrett.\n'
const russian = 'Арендатор сдаёт ключи до конца месяца\n'
const japanese = '鍵は月末までに返却してください。\n'

test('one foreign line changes none of the others, whichever encoding is the foreign one', () => {
  for (const [line, page] of [
    ['Müller zahlt in Köln\n', 'windows-1252'],
    [russian, 'windows-1251'],
    [russian, 'koi8-r'],
    [japanese, 'shift_jis'],
  ] as const) {
    for (const text of [german, russian, japanese]) {
      const utf8 = text.repeat(4)
      const bytes = Buffer.concat([Buffer.from(utf8), iconv.encode(line, page), Buffer.from(utf8)])
      expect(decodeText(bytes)).toBe(utf8 + line + utf8)
    }
    const old = line.repeat(5)
    expect(decodeText(Buffer.concat([iconv.encode(old, page), Buffer.from(german)]))).toBe(old + german)
  }
})

test('words of two encodings in one row of a table', async () => {
  const row = (name: string, town: string) =>
    Buffer.concat([Buffer.from(`${name};`), iconv.encode(`${town}\n`, 'windows-1252')])
  const rows = [
    row('Name', 'Ort'),
    row('Jörg Weiß', 'Münster'),
    row('Zoë', 'Besançon'),
    row('Łukasz', 'Köln'),
  ]
  const { blocks } = await parseBytes('csv', Buffer.concat(rows))
  expect(blocks[0]?.text).toContain('| Jörg Weiß | Münster |\n| Zoë | Besançon |\n| Łukasz | Köln |')
})

test('a short word of Thai that is valid UTF-8 by accident stays Thai', () => {
  const text = 'รถ\nรถไฟ\nรถยนต์ของบริษัท\nกุญแจภายในวันทำการสุดท้าย\n'
  expect(decodeText(iconv.encode(text, 'windows-874'))).toBe(text)
})

test('a stream cut anywhere, with a line that never ends', async () => {
  const text = german + 'x'.repeat(3_000_000)
  const bytes = Buffer.concat([iconv.encode('Müller in Köln\n', 'windows-1252'), Buffer.from(text)])
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 65_537) pieces.push(bytes.subarray(at, at + 65_537))
  let read = ''
  for await (const piece of Readable.from(pieces).pipe(mixedDecoder(mixedEncoding(bytes, true))))
    read += piece
  expect(read === `Müller in Köln\n${text}`).toBe(true)
})

test('foreign words behind very many letters of UTF-8, in lines or in one line', () => {
  for (const end of ['\n', ' ']) {
    const utf8 = german.replace('\n', end).repeat(4000)
    const old = `Müller zahlt in Köln für die Räume${end}`.repeat(5)
    expect(decodeText(Buffer.concat([Buffer.from(utf8), iconv.encode(old, 'windows-1252')]))).toBe(utf8 + old)
  }
})
