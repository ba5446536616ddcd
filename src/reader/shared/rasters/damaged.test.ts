// Damaged pictures of each format (BAD-25), small ones in one language: each ends with what can be seen or with a reason. The
// same files every time.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDamage } from '../../../../test/support/files/bad.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import {
  drawLine,
  type Grey,
  makeGif,
  makeJpeg,
  makePng,
  makeTiff,
  makeWebp,
  withChecksums,
} from '../../../../test/support/files/pictures.ts'
import { FULL } from '../../../../test/support/full.ts'
import { ocrSettings, useOcr } from '../ocr/languages.ts'

// A hundred of each format in the full suite, forty of one in the gate: one that is read takes half a second.
const FILES = FULL ? 100 : 40

const before = ocrSettings()
// Each further language is one more look.
beforeAll(() => useOcr({ languages: ['eng'] }))
afterAll(() => useOcr(before))

interface Format {
  make: (line: Grey) => Buffer
  damage?: typeof withDamage
}

const formats: [name: string, format: Format][] = [
  ['PNG', { make: makePng, damage: (bytes, seed) => checked(withDamage(bytes, seed), seed) }],
  ['GIF', { make: (line) => makeGif([line, line]) }],
  ['TIFF', { make: (line) => makeTiff([line, line]) }],
  ['WebP', { make: makeWebp }],
  ['JPEG', { make: makeJpeg }],
]

/** Every other one with checksums that hold, past which damage reaches the readers. */
const checked = (png: Buffer, seed: number): Buffer => (seed % 2 === 0 ? withChecksums(png) : png)

test.each(FULL ? formats : formats.slice(0, 1))('BAD-25: %s', async (name, { make, damage = withDamage }) => {
  const line = await drawLine('Tide', name === 'JPEG' ? 20 : 60)
  const whole = make(line)
  const ends: Record<string, number> = {}
  for (let seed = 0; seed < FILES; seed++) {
    const end = await parseBytes('image', damage(whole, seed)).then(
      ({ blocks }) => (blocks.every(({ text }) => text.isWellFormed()) ? 'read' : 'ill formed'),
      (error: { reason?: string }) => error.reason ?? `seed ${seed}: ${String(error)}`,
    )
    ends[end] = (ends[end] ?? 0) + 1
  }
  expect(Object.keys(ends).filter((end) => !known.has(end))).toEqual([])
})

const known = new Set(['read', 'damaged', 'no_text', 'unrecognised', 'too_large_unpacked'])

// The other formats are read in `formats.test.ts`, and in the gate PNG in `picture.test.ts` and TIFF in `rounds.test.ts`.
const WHOLE = FULL ? ['PNG', 'TIFF', 'WebP'] : ['WebP']

test.each(formats.filter(([name]) => WHOLE.includes(name)))('a whole %s is read', async (_name, { make }) => {
  const { blocks } = await parseBytes('image', make(await drawLine('Tide gauge TG-40', 72)))
  expect(blocks[0]?.text).toBe('Tide gauge TG-40')
})
