// Fields of forms in the text of a page.

import { expect, test } from 'vitest'
import { htmlBlocks } from './html.ts'

test('boxes say whether they are ticked, fields show their values, each apart from the words beside it', () => {
  const form =
    '<p><input type=checkbox checked>Yes<input type=checkbox>No, by<input value=Ann><input type=hidden value=x></p>'
  expect(htmlBlocks(form).map(({ text }) => text)).toEqual(['☒ Yes ☐ No, by Ann'])
})

test('what replaces a deleted word is apart from it', () => {
  expect(htmlBlocks('<p>at <del>ten</del><ins>noon</ins>.</p>').map(({ text }) => text)).toEqual([
    'at ten noon.',
  ])
})
