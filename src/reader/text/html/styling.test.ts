// Text that style sheets separate: fields of forms, dates at the right edge, checkboxes.

import { expect, test } from 'vitest'
import { htmlBlocks } from './html.ts'

const sheet = `<style>/* .a{} */ @import "x"; .row{display:flex} .b, i.box{display:inline-block;width:3.4mm;height:3.4mm;border:1px solid}
  .f{display:inline-block;min-width:6em} .date{float:right} #no{margin-left:2em} .menu > a{display:block} .thin{display:inline-block}
  @media print{.thin{float:left}} p .far{margin:0 1em} .f:hover{display:block}</style>`
const read = (html: string): string[] =>
  htmlBlocks(`${sheet}${html}`).map(({ kind, text }) => `${kind}: ${text}`)

test('what stands apart is parted by a space, what is a line of its own by an end of line', () => {
  expect(read('<div class=row><label>Name</label><span>ANN</span></div>')).toEqual(['paragraph: Name ANN'])
  expect(read('<p>Tide Ltd<span class="x date">2026</span></p>')).toEqual(['paragraph: Tide Ltd 2026'])
  expect(read('<p>Port<span class=f>HW3</span>, north</p>')).toEqual(['paragraph: Port HW3, north'])
  expect(read('<div class=menu><a>Home</a><a>Tides</a><i>x</i><a>Fees</a></div>')).toEqual([
    'paragraph: Home',
    'paragraph: Tides',
    'paragraph: x',
    'paragraph: Fees',
  ])
  expect(read('<p>No.<b id=no>7</b> of<b style="margin-left:10px">9</b></p>')).toEqual([
    'paragraph: No. 7 of 9',
  ])
  expect(read('<table><tr><td>one<span class=date>1</span><td>two</table>')).toEqual([
    'table: | one 1 | two |\n| --- | --- |',
  ])
})

test('words stay whole: without a gap, for paper alone, with a large first letter, in a selector that asks for more', () => {
  for (const html of [
    'whar<span class=thin>ves</span>',
    '<span class=date>W</span>harves',
    'whar<u class=far>ves</u>',
    'wharv<span class=unknown>es</span>',
  ])
    expect(read(`<div>${html}</div>`)[0]?.toLowerCase()).toBe('paragraph: wharves')
})

test('squares say whether they are ticked, drawn by a sheet or by a form', () => {
  expect(read('<p>Title<span class=b></span>Mr<i class=box>✗</i>Ms<span class=b>✓</span>Dr</p>')).toEqual([
    'paragraph: Title ☐ Mr ☒ Ms ☑ Dr',
  ])
  expect(read('<p><span class=b>4</span>th</p>')).toEqual(['paragraph: 4 th'])
  expect(
    read(
      '<p><input type=checkbox checked>Yes<input type=checkbox>No, by<input value=Ann><input type=hidden value=x></p>',
    ),
  ).toEqual(['paragraph: ☒ Yes ☐ No, by Ann'])
})

test('a paragraph of any length: each box stands in its place', () => {
  const one =
    '<u class=date>Pier</u><span class=b></span>a long line of the roster of the harbour<i class=box>✓</i>'
  const shown = 'Pier ☐ a long line of the roster of the harbour ☑'
  const many = 2000
  expect(read(`<p>${one.repeat(many)}</p>`)).toEqual([`paragraph: ${Array(many).fill(shown).join(' ')}`])
  expect(read(`<table><tr><td>${one.repeat(many)}</td><td>end</td></tr></table>`)[0]).toContain(
    `| ${Array(many).fill(shown).join(' ')} | end |`,
  )
})

test('sheets without end and thousands of rules come to an end', () => {
  for (const css of [
    '@'.repeat(500_000),
    'a'.repeat(500_000),
    '{'.repeat(500_000),
    '.a{float:left}'.repeat(50_000),
    '/*'.repeat(300_000),
  ])
    htmlBlocks(`<style>${css}</style>${'<b class=a>x</b>'.repeat(2000)}`)
  htmlBlocks('<style'.repeat(300_000))
})
