// BAD-26: a real JPEG and a real animated GIF, written here: whole they are read, cut or damaged they end with a reason.

import { expect, test } from 'vitest'
import { withDamage } from '../../../../test/support/files/bad.ts'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { drawLine, makeGif, makeJpeg } from '../../../../test/support/files/pictures.ts'
import { FULL, thorough } from '../../../../test/support/full.ts'

async function outcome(bytes: Buffer): Promise<string> {
  return parseBytes('image', bytes).then(
    ({ blocks }) => blocks.map(({ text }) => text).join(' '),
    (error: { reason?: string }) => `failed: ${error.reason ?? String(error)}`,
  )
}
const ENDS = /^(?!failed)|^failed: (damaged|no_text|unrecognised|too_large_unpacked)$/

test('a baseline JPEG is read; cut short it is what there is of it, or damaged', async () => {
  const jpeg = makeJpeg(await drawLine('Tide gauge TG-40', 72))
  expect(await outcome(jpeg)).toContain('TG-40')
  for (const share of FULL ? [0.001, 0.6] : [0.001]) {
    expect(await outcome(jpeg.subarray(0, Math.ceil(jpeg.length * share)))).toMatch(ENDS)
  }
})

thorough('an animated GIF is its first frame', async () => {
  const gif = makeGif([await drawLine('Harbour light', 150), await drawLine('Second frame', 150)])
  const text = await outcome(gif)
  expect(text).toContain('Harbour light')
  expect(text).not.toContain('Second')
  expect(await outcome(gif.subarray(0, gif.length / 4))).toMatch(ENDS)
})

const DAMAGES = FULL ? 6 : 2

test('damaged pictures end with a reason or with what can be seen', async () => {
  const line = await drawLine('Tide', 72)
  for (const whole of [makeJpeg(line), makeGif([line, line])]) {
    for (let seed = 0; seed < DAMAGES; seed++)
      expect(await outcome(withDamage(whole, seed)), `seed ${seed}`).toMatch(ENDS)
  }
})
