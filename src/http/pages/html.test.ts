import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, markupOf } from './html.ts'

test('text is escaped, markup is not, and false, null and undefined are omitted', () => {
  const item = (name: string) => html`<li>${name}</li>`
  const made = html`<ul title="${'"x\''}">${['<b>', 'a & b'].map(item)}${false}${undefined}${null}${0}</ul>`
  expect(markupOf(made)).toBe('<ul title="&quot;x&#39;"><li>&lt;b&gt;</li><li>a &amp; b</li>0</ul>')
})

test('no text opens a tag or leaves an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'<>"&;#ab', "'") }), (text) => {
      const inside = markupOf(html`${text}`)
      expect(inside).not.toMatch(/[<>"']/)
    }),
  )
})

test('an object that only looks like markup is rejected', () => {
  const forged = JSON.parse('{"markup":"<script>"}')
  expect(() => markupOf(html`${forged}`)).toThrow()
})
