// The table of formats: what it says of them agrees with what the rest of the service is told.

import { expect, test } from 'vitest'
import type { DocumentKind } from '../block.ts'
import { hasPageImages } from '../task.ts'
import { formats } from './formats.ts'

test('pages of just those kinds are shown whose backend opens pages', async () => {
  for (const [kind, { backend }] of Object.entries(formats))
    expect([kind, (await backend()).openPage !== undefined]).toEqual([kind, hasPageImages(kind)])
})

test('pictures are found by name or on pages, never both ways', async () => {
  const pictured: DocumentKind[] = []
  for (const kind of Object.keys(formats) as DocumentKind[]) {
    const { eachPicture, unplacedPictures } = await formats[kind].backend()
    expect(eachPicture === undefined || unplacedPictures === undefined).toBe(true)
    if (eachPicture ?? unplacedPictures) pictured.push(kind)
  }
  expect(pictured).toHaveLength(13)
})
