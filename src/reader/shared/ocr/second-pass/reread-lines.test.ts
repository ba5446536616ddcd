// Words a reading is not sure of, and the lines they stand in, read again.

import { expect, test } from 'vitest'
import { cropDeskewed } from '../../rasters/grey-image.ts'
import { findUnreadInk } from '../../rasters/unread-ink.ts'
import type { Line, Word } from '../recognised.ts'
import {
  isResolved,
  lowConfidenceLines,
  type Reading,
  resolveLine,
  uncertainNumberLines,
} from './low-confidence-words.ts'

/** "word" is sure, "word(12)" has that confidence; ten pixels a letter, twenty high. */
function placed(line: string): Word[] {
  let at = 0
  return line.split(' ').map((part) => {
    const [, text = '', confidence = '95'] = /^(.+?)(?:\((\d+)\))?$/.exec(part) ?? []
    const bbox = { x0: at, y0: 0, x1: at + text.length * 10, y1: 20 }
    at = bbox.x1 + 10
    return { text, confidence: Number(confidence), bbox } as Word
  })
}

const lineOf = (line: string): Line => ({ words: placed(line) }) as Line
const again = (line: string): Reading[] =>
  placed(line).map(({ text, confidence, bbox }) => ({ text, confidence, left: bbox.x0, right: bbox.x1 }))
const said = (line: string, ...readings: string[]): string[] =>
  resolveLine(lineOf(line), readings.map(again)).words.map(({ text, confidence }) => `${text} ${confidence}`)

test('a weak word is as its line reads by itself where that is surer', () => {
  expect(said('<100 maid(0)', '<100 mg/dL')).toEqual(['<100 95', 'mg/dL 95'])
  expect(said('lungs clear(20)', 'longs clear')).toEqual(['lungs 95', 'clear 95'])
})

test('what comes alike from two readings is there, though neither is sure; one guess among three is none', () => {
  expect(said('Vivamus aliquam(0) metus', 'Vivamus aliquam(0) metus')[1]).toBe('aliquam 30')
  expect(said('to auscuitation(56) bi', 'to auscultation(13) bi', 'to auscultation(13) bi')[1]).toBe(
    'auscultation 30',
  )
  expect(said('Name size(0) A', 'Name sile(0) A', 'Name sixe(5) A')[1]).toBe('sixe 5')
})

test('half of a word is not the word', () => {
  expect(said('model Detectron2Layout(49)', 'model Detec tron2Layout')[1]).toBe('Detectron2Layout 49')
})

test('a figure that ran together with its unit is both of them', () => {
  expect(said('temperature 1422°C(40)', 'temperature 14.2 °C')[1]).toBe('14.2 °C 95')
  expect(said('temperature 1422°C(40)', 'temperature 14.2 °C(20)')[1]).toBe('1422°C 40')
  expect(said('pressure 10(40) hPa', 'pressure 16 hPa')).toEqual(['pressure 95', '16 95', 'hPa 95'])
})

test('noise in a row of figures is looked at: a figure, most likely', () => {
  const rows = ['2.000 2.001 %q(0)', 'quay 2.001 %q(0)', '2.000 2.001 %(0)']
  expect(
    lowConfidenceLines(rows.map(lineOf)).map(({ words }) => words.map(({ text }) => text).join(' ')),
  ).toEqual(['2.000 2.001 %q'])
  expect(said('2.000 2.001 %q(0)', '2.000 2.001 +1')[2]).toBe('+1 95')
  expect(isResolved(lineOf('2.000 2.001 %q(0)'), again('2.000 2.001 %q'))).toBe(false)
})

test('no word comes twice: what stands over another word of the line is that one', () => {
  const words = placed('1(20) 2').map((word, i) => ({
    ...word,
    bbox: { ...word.bbox, x0: i * 16, x1: i * 16 + 8 },
  }))
  const [speck, joined] = [
    { text: '2', confidence: 95, left: 16, right: 24 },
    { text: '12', confidence: 95, left: 0, right: 24 },
  ].map((read) => resolveLine({ words } as Line, [[read]]).words.map(({ text }) => text))
  expect(speck).toEqual(['1', '2'])
  expect(joined).toEqual(['1', '2'])
})

test('lines are read again that are read but for a word; not those of a drawing, nor for a speck', () => {
  const lines = [
    'Vivamus aliquam(0) metus',
    'all of it sure',
    'i(45) Eaeee(0) 1(41) Ai(22) the code',
    'https(16) autogen(16)',
    'Z(0) Discussed changes',
    'Page 2(0) of 3',
  ].map(lineOf)
  expect(lowConfidenceLines(lines).map((line) => lines.indexOf(line))).toEqual([0, 3, 5])
})

test('a reading that agrees or is sure is the last', () => {
  const line = lineOf('Vivamus aliquam(0) metus')
  expect(isResolved(line, again('Vivamus aliquam(0) metus'))).toBe(true)
  expect(isResolved(line, again('Vivamus aliquem metus'))).toBe(true)
  expect(isResolved(line, again('Vivamus aliquem(20) metus'))).toBe(false)
  expect(isResolved(line, again('Vivamus'))).toBe(false)
})

test('a line of a script without spaces is judged whole: its middle may be missing', () => {
  const line = { ...lineOf('新鲜甘草激发纪(81)'), bbox: { x0: 0, y0: 0, x1: 300, y1: 20 } } as Line
  expect(lowConfidenceLines([line])).toHaveLength(1)
  const readings = ['新鲜甘草是最佳清道夫激发细(84)', '新鲜甘草(86)'].map(again)
  expect(readings.map((reading) => isResolved(line, reading))).toEqual([false, false])
  expect(resolveLine(line, readings).words.map(({ text }) => text)).toEqual(['新鲜甘草是最佳清道夫激发细'])
  expect(resolveLine(line, readings.slice(1))).toBe(line)
})

test('a part of a page is cut out as large as asked, straight where the page lay askew', () => {
  const data = new Uint8Array(100 * 100).fill(255)
  const turned = 0.1
  // A line of ink from the middle to the right, turned with its page.
  for (let x = 0; x < 40; x++) {
    const [px, py] = [Math.round(50 + x * Math.cos(turned)), Math.round(50 - x * Math.sin(turned))]
    for (const dy of [-1, 0, 1]) data[(py + dy) * 100 + px] = 0
  }
  const part = cropDeskewed({ width: 100, height: 100, data }, [52, 45, 88, 55], turned, 2)
  expect([part.width, part.height]).toEqual([72, 20])
  const shades = [...part.data.subarray(10 * 72, 11 * 72)]
  expect(shades.filter((shade) => shade > 128)).toEqual([])
  expect([...part.data.subarray(0, 72)].filter((shade) => shade < 128)).toEqual([])
})

/** A page of stripes: each of the boxes has letters of ink with room between them. */
function inked(
  boxes: [left: number, top: number, right: number, bottom: number][],
  solid = false,
): Uint8Array {
  const data = new Uint8Array(600 * 400).fill(240)
  for (const [left, top, right, bottom] of boxes)
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) if (solid || x % 12 < 5) data[y * 600 + x] = 20
  return data
}

const lost = (data: Uint8Array, ...read: [number, number, number, number][]): number[][] =>
  findUnreadInk({ width: 600, height: 400, data }, read, 24)

test('ink of a line where no words were read is found; what was read, a rule, a frame and a bar are not', () => {
  const title: [number, number, number, number] = [200, 40, 400, 70]
  const body: [number, number, number, number] = [40, 120, 560, 144]
  const [found, ...more] = lost(inked([title, body]), body)
  expect(found?.map((side, i) => Math.abs(side - (title[i] ?? 0)) <= 8)).toEqual([true, true, true, true])
  expect(more).toEqual([])
  expect(lost(inked([[40, 300, 560, 304]], true))).toEqual([])
  expect(lost(inked([[40, 300, 560, 340]], true))).toEqual([])
  expect(lost(inked([[300, 100, 330, 300]]))).toEqual([])
})

test('a drawing of many pieces is left, cells of a table are small', () => {
  const pieces = (high: number): [number, number, number, number][] =>
    Array.from({ length: 14 }, (_, i) => {
      const [left, top] = [20 + (i % 4) * 150, 20 + Math.floor(i / 4) * 90]
      return [left, top, left + 70, top + high]
    })
  expect(lost(inked(pieces(60).slice(0, 10)))).toHaveLength(10)
  expect(lost(inked(pieces(60)))).toEqual([])
  expect(lost(inked(pieces(24)))).toHaveLength(14)
})

test('of figures two readings settle it, and a point that one of them has is there', () => {
  expect(said('at (208)(79) and', 'at (206) and', 'at (206) and')[1]).toBe('(206) 95')
  expect(said('at (208)(79) and', 'at (206)(70) and', 'at (208)(70) and')[1]).toBe('(208) 79')
  expect(said('HbA1c <57%(80)', 'HbA1c <5.7%(60)')[1]).toBe('<5.7% 80')
  expect(said('TSH 2.4(75) high', 'TSH 24 high', 'TSH 24 high')[1]).toBe('2.4 95')
  expect(isResolved(lineOf('at (208)(79)'), again('at (206)'))).toBe(false)
  expect(isResolved(lineOf('at (208)(79)'), again('at (208)'))).toBe(true)
})

test('lines with figures that may be wrong come behind those with weak words, the least sure first', () => {
  const lines = [
    'rose to 1,204(85)',
    'all 7 of it',
    'model2layout(80)',
    'was 98(70) then',
    'aliquam(0) 98(70) metus of it',
  ].map(lineOf)
  expect(uncertainNumberLines(lines).map((line) => lines.indexOf(line))).toEqual([3, 0])
  expect(lowConfidenceLines(lines).map((line) => lines.indexOf(line))).toEqual([4])
})
