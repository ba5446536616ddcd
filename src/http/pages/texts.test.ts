import { expect, test } from 'vitest'
import { invalid } from '../../errors.ts'
import { textsIn } from '../../messages/texts.ts'
import { html, markupOf } from './html.ts'
import { errorText, textsOf, withMarkup } from './texts.ts'

test('markup stands where the text names it, and everything else is escaped', () => {
  const body = withMarkup('{b} < {a}, {c}', { a: html`<b>1</b>`, b: '<i>' })
  expect(markupOf(body)).toBe('&lt;i&gt; &lt; <b>1</b>, {c}')
})

test('the language of the account wins over that of the browser', () => {
  const request = { headers: { 'accept-language': 'fr' } }
  expect(textsOf(request).language).toBe('fr')
  expect(textsOf(request, 'ja').language).toBe('ja')
  expect(textsOf({ headers: {} }).language).toBe('en')
})

test('an error without a translation keeps its English', () => {
  const error = invalid(['body', 'email'], 'Something that no catalogue has')
  expect(errorText(textsIn('de'), error)).toBe('Something that no catalogue has')
})
