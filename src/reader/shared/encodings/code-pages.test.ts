// Short texts in many languages decoded from their old code pages.

import iconv from 'iconv-lite'
import { expect, test } from 'vitest'
import { oldTexts } from '../../../../test/support/files/old-texts.ts'
import { FULL } from '../../../../test/support/full.ts'
import { decodeText } from './encoding.ts'

const lettersOf = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

// The gate takes every fourth of these texts.
const SHARE = FULL ? 1 : 4

/** From every `step`-th word on so many words as hold the letters, where they are not plain ASCII. */
function* pieces(text: string, letters: number, step: number): Generator<string> {
  const words = text.split(' ')
  for (let from = 0; from < words.length; from += step) {
    let to = from + 1
    while (to <= words.length && lettersOf(words.slice(from, to).join('')) < letters) to++
    const piece = words.slice(from, to).join(' ')
    if (to <= words.length && /\P{ASCII}/u.test(piece)) yield piece
  }
}

function misread(letters: number, step: number): { wrong: string[]; all: number } {
  const wrong: string[] = []
  let all = 0
  for (const { language, pages, text } of oldTexts) {
    for (const page of pages) {
      for (const piece of pieces(text, letters, step * SHARE)) {
        const bytes = iconv.encode(piece, page)
        if (iconv.decode(bytes, page) !== piece) continue
        all++
        const read = decodeText(bytes)
        if (read !== piece) wrong.push(`${language} ${page}: ${read}`)
      }
    }
  }
  return { wrong, all }
}

test('80 letters of any language come back from each of its code pages', () => {
  const { wrong, all } = misread(80, 12)
  expect(wrong).toEqual([])
  expect(all).toBeGreaterThan(150 / SHARE)
})

test('40 letters come back but for one text in a hundred', () => {
  const { wrong, all } = misread(40, 8)
  expect(wrong.length, wrong.join('\n')).toBeLessThan(all / 100)
  expect(all).toBeGreaterThan(300 / SHARE)
})

test('a word or a sign among plain ASCII comes back', () => {
  const texts: [string, string][] = [
    ['Größe', 'windows-1252'],
    ['Price £500', 'windows-1252'],
    ['“quoted” – it’s fine', 'windows-1252'],
    ['25 °C ± 3 µm', 'windows-1252'],
    ['name;town\nMüller;Köln', 'windows-1252'],
    ['naïve café', 'windows-1252'],
    ['François', 'windows-1252'],
    ['Muñoz', 'windows-1252'],
    [
      'Müller GmbH\nSeñor Ibáñez S.A.\nÅngström AB\nSociété Générale\nGroß und Söhne\nO’Brien & Sons',
      'windows-1252',
    ],
    ['name;town\nIñaki;Berlin', 'windows-1252'],
    ['jalapeño', 'windows-1252'],
    ['Poznań', 'windows-1250'],
    ['Françoise Lefèvre', 'windows-1252'],
    ['The project in Łódź and Kraków was closed by the board.', 'windows-1250'],
    ['Москва', 'windows-1251'],
    ['The word Привет means hello in Russian, as everybody knows who has been there.', 'windows-1251'],
  ]
  for (const [text, page] of texts) expect(decodeText(iconv.encode(text, page))).toBe(text)
})

test('a line of Japanese, Chinese or Korean is no code page', () => {
  const lines: [string, string][] = [
    ['売上高は前年同期比で増加しました。潮位計の納期は三週間です。', 'shift_jis'],
    ['売上高は前年同期比で増加しました。潮位計の納期は三週間です。', 'euc-jp'],
    ['承租人应在每月最后一个工作日交还钥匙，并自行承担较大的损坏。', 'gb18030'],
    ['承租人應在每月最後一個工作日交還鑰匙，並自行承擔較大的損壞。', 'big5'],
    ['임차인은 늦어도 매월 마지막 근무일에 열쇠를 반환하고 큰 손해는 스스로 부담한다.', 'euc-kr'],
  ]
  for (const [line, encoding] of lines) expect(decodeText(iconv.encode(line, encoding))).toBe(line)
})
