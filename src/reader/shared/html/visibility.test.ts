// What style sheets do to the look of text, and in which time. Which text is hidden by it: hidden-text.test.ts.

import { expect, test } from 'vitest'
import { costRatio } from '../../../../test/support/processor-time.ts'
import { isHiddenElement, isHiddenLook, lookIn, pageLook, pageSheet } from './visibility.ts'

/** Whether the text of each element, a tag with its attributes, is hidden by its look. */
function hiddenIn(css: string, elements: readonly Record<string, string>[]): boolean[] {
  const html = `<style>${css}</style>`
  const sheet = pageSheet(html)
  const look = pageLook(html, sheet)
  return elements.map((attributes) => isHiddenLook(lookIn(look, 'p', attributes, sheet)))
}

test.each([
  ['.a{color:white}', true],
  ['p.a{color:#fff}', true],
  ['.a{color:white;background:black}', false],
  ['.a{color:white;background:none}', true],
  ['.a{color:transparent}', true],
  ['.a{font-size:.5px}', true],
  ['.a{font-size:1.px}', true],
  ['.a{font-size:1%}', true],
  ['.a{color:white}p{color:black}', true],
  ['.a{color:white}.a{color:black}', false],
  ['.a{color:white!important}.a.b{color:black}', true],
  ['.a{color:white;/*}*/font-size:9px}', true],
  // What may be otherwise is not known.
  ['.a{color:white}.a:hover{background:blue}', false],
  ['.a{color:white}:is(.a,.b){background:blue}', false],
  ['.a{color:white}[class="a"]{background:blue}', false],
  ['.a{color:white}@media print{.a{background:blue}}', false],
  [`.a{color:white;background:url(data:image/png;base64,${'A'.repeat(300)})}`, false],
  [`.a{color:white;background:${'linear-gradient(red,blue),'.repeat(20)}blue}`, false],
  [`.a{color:white}${'.c '.repeat(100)}.d{background:blue}`, false],
])('%s', (css, isHidden) => {
  expect(hiddenIn(css, [{ class: 'a b' }, { class: 'a b' }])).toEqual([isHidden, isHidden])
})

test('elements with the same classes and another id look otherwise', () => {
  const css = '.a{color:white}#x{color:black}'
  expect(hiddenIn(css, [{ class: 'a' }, { class: 'a', id: 'x' }, { class: 'a', id: 'y' }])).toEqual([
    true,
    false,
    true,
  ])
})

const COUNT = 40_000
const usual = '.x{color:red;font-size:12px} '.repeat(COUNT / 29)

test.each([
  ['a long number', `.x{font-size:${'1'.repeat(COUNT)}q}`],
  ['a long background', `.x{background:${'a '.repeat(COUNT)}}`],
  ['a long transparent colour', `.x{color:rgba(${',0'.repeat(COUNT)}`],
  ['nested brackets', `.x${'('.repeat(COUNT)}${')'.repeat(COUNT)}{color:red}`],
  ['a selector of many names', `${'.x'.repeat(COUNT)}{color:red}`],
  ['many selectors of long styles', `${'.x,'.repeat(4000)}.x{${'color:red;'.repeat(COUNT / 10)}}`],
  ['a long selector of many blocks', `${'.x'.repeat(COUNT)}{${'color:red;@media{}'.repeat(4000)}}`],
  ['comments that do not end', `.x{color:red}${'/*'.repeat(COUNT)}`],
])('a style sheet of %s is read in the time of others', async (_, css) => {
  const elements = Array.from({ length: 100 }, () => ({ class: 'x' }))
  expect(
    await costRatio(
      () => hiddenIn(css, elements),
      () => hiddenIn(usual, elements),
    ),
  ).toBeLessThan(20)
})

test('a long style of an element is read in the time of others', async () => {
  const sheet = pageSheet('')
  const look = pageLook('', sheet)
  const read = (style: string) => () => {
    lookIn(look, 'p', { style }, sheet)
    isHiddenElement({ style }, look)
  }
  expect(
    await costRatio(read(`background:${'a '.repeat(COUNT)}`), read('color:red;'.repeat(COUNT / 5))),
  ).toBeLessThan(20)
})
