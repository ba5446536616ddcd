// Fields of forms in the text of a page.

import { expect, test } from 'vitest'
import { htmlBlocks } from './html.ts'

test('boxes say whether they are ticked, fields show their values, each apart from the words beside it', () => {
  const form =
    '<p><input type=checkbox checked>Yes<input type=checkbox>No, by<input value=Ann><input type=password value=p><input type=hidden value=x></p>'
  expect(htmlBlocks(form).map(({ text }) => text)).toEqual(['☒ Yes ☐ No, by Ann'])
})

test('a saved page has what was chosen and typed, not what could be chosen', () => {
  const form =
    '<p>Ship<select><option>Gull<option selected>Tern</select><select><option>Knot</select>to<textarea>Please\ncall first</textarea>' +
    '<datalist id=a><option selected>Auk</datalist><button>Send</button>'
  expect(htmlBlocks(form).map(({ text }) => text)).toEqual(['Ship Tern to Please call first'])
})

test('guides to pronunciation are no part of the words', () => {
  expect(
    htmlBlocks('<p><ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</ruby>に行く').map(
      ({ text }) => text,
    ),
  ).toEqual(['東京に行く'])
})

test('what replaces a deleted word is apart from it', () => {
  expect(htmlBlocks('<p>at <del>ten</del><ins>noon</ins>.</p>').map(({ text }) => text)).toEqual([
    'at ten noon.',
  ])
})
