// HEIC without the decoder that no licence of ours lets us bring: refused with what to do.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'
import { reasonSentence } from '../../reasons.ts'
import { isHeic } from './heic.ts'

const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(200)])

test('told by its brand, not its name; AVIF and MP4 are others', () => {
  expect(isHeic(heic)).toBe(true)
  for (const brand of ['avif', 'isom', 'mp42']) {
    expect(isHeic(Buffer.from(heic.toString('latin1').replace('ftypheic', `ftyp${brand}`), 'latin1'))).toBe(
      false,
    )
  }
})

test('ends with what to do where the decoder is not installed, as damaged where it is', async () => {
  const reason = await parseBytes('image', heic).catch((error: { reason: string }) => error.reason)
  expect(['no_heic', 'damaged']).toContain(reason)
  expect(reasonSentence.no_heic).toMatch(/JPEG.*npm install heic-decode/)
})
