// Formulas of TeX as the library and pdf-inspector hand them over: signs read as letters' codes, marks apart, fractions in two lines.

import type { ParsedPage, TextItem } from '@llamaindex/liteparse'
import { expect, test } from 'vitest'
import { spelled } from './formulas.ts'
import type { Run } from './lines.ts'
import { isMathFont, readRun } from './signs.ts'

const SIZE = 10
const BASELINE = 109

/** An item of words `[text, x]`, five points a letter, on the line at 100; a third value is the height of a mark. */
function item(y: number, ...words: [text: string, x: number, height?: number][]): TextItem {
  const boxes = words.map(([text, x, height = SIZE]) => ({ text, x, y, width: text.length * 5, height }))
  const [first, last] = [boxes[0], boxes.at(-1)]
  const x = first?.x ?? 0
  const text = words.map(([word]) => word).join(' ')
  return {
    text,
    x,
    y,
    width: (last?.x ?? 0) + (last?.width ?? 0) - x,
    height: first?.height ?? SIZE,
    fontName: 'CMMI10',
    rotation: 0,
    words: boxes,
  }
}

const run = (text: string, x: number, font = 'CMMI10', size = SIZE, baseline = BASELINE): Run => ({
  text: readRun(font, text),
  font,
  x,
  width: text.length * 5,
  baseline,
  size,
})

const pageOf = (textItems: TextItem[], texts: string[], rule?: [number, number, number]): ParsedPage => ({
  pageNum: 1,
  width: 600,
  height: 800,
  markdown: '',
  text: '',
  textItems,
  blocks: texts.map((text, i) => ({
    kind: 'paragraph',
    text,
    bbox: i === 0 ? { x: 60, y: 99, width: 300, height: 12 } : { x: 60, y: 112, width: 300, height: 9 },
  })),
  ...(rule && {
    vectorGraphics: {
      shapes: [],
      lines: [{ x1: rule[0], x2: rule[1], y1: rule[2], y2: rule[2], stroke: true, fill: false }],
    },
  }),
})

const read = (page: ParsedPage, runs: Run[]): (string | undefined)[] =>
  spelled(page, runs).blocks?.map(({ text }) => text) ?? []

test('signs are what their font says of their code', () => {
  expect([readRun('MSBM10', '@m'), readRun('ABCDEF+MSAM10', 'C'), readRun('CMSY7', '0')]).toEqual([
    '∄m',
    '◁',
    '′',
  ])
  expect([readRun('MSBM10', 'R'), readRun('CMSY10', '〈S'), readRun('CMR10', 'C')]).toEqual(['ℝ', '⟨S', 'C'])
  expect([isMathFont('ABCDEF+CMSY10'), isMathFont('CMR10'), isMathFont('Helvetica')]).toEqual([
    true,
    false,
    false,
  ])
})

test('a word torn by a kern is whole in a run that begins in another font', () => {
  const page = pageOf([item(100, ['q', 70], ['=', 90], ['P', 100], ['epsi', 105.3])], ['q = P epsi'])
  const runs = [run('q', 70), run('= Pepsi', 90, 'NimbusRomNo9L-ReguItal')]
  expect(read(page, runs)).toEqual(['q = Pepsi'])
})

test('signs, words torn by a kern and marks over each other are read in their line', () => {
  const page = pageOf(
    [
      item(100, ['so', 70], ['hq', 90]),
      item(104, ['s', 100, 6]),
      item(98, ['1', 100, 6]),
      item(100, ['i', 106], ['P', 120], ['epsi', 125.3], ['C', 150], ['q', 160]),
    ],
    ['so hq i P epsi C q'],
  )
  const runs = [
    run('so', 70, 'CMR10'),
    run('〈', 90, 'CMSY10'),
    run('q', 95),
    run('s', 100, 'CMMI7', 7, 111),
    run('1', 100, 'CMR7', 7, 105),
    run('〉', 106, 'CMSY10'),
    run('Pepsi', 120),
    run('C', 150, 'MSAM10'),
    run('q', 160),
  ]
  const both = {
    ...page,
    blocks: [{ ...page.blocks?.[0], kind: 'paragraph' as const, text: 'so hq s1 i P epsi C q' }],
  }
  const bbox = { x: 60, y: 96, width: 300, height: 16 }
  expect(read({ ...both, blocks: both.blocks.map((block) => ({ ...block, bbox })) }, runs)).toEqual([
    'so ⟨qs¹⟩ Pepsi ◁ q',
  ])
})

test('a line whose letters are others stays as it is', () => {
  const page = pageOf([item(100, ['hqi', 90])], ['hqi'])
  expect(spelled(page, [run('〈', 90, 'CMSY10'), run('x', 95), run('〉', 100, 'CMSY10')])).toBe(page)
})

test('a fraction is one word of its line, its parts no lines of their own', () => {
  const page = pageOf(
    [
      item(100, ['r', 70], ['=', 80]),
      item(97, ['p', 100, 6], ['×', 110, 6]),
      item(106, ['q', 102.5, 6]),
      item(100, ['holds.', 125]),
    ],
    ['r = p × holds.', 'q'],
    [100, 115, 105],
  )
  const small = (text: string, x: number, baseline: number): Run => run(text, x, 'CMMI7', 7, baseline)
  const runs = [
    run('r', 70),
    run('=', 80, 'CMR10'),
    small('p', 100, 102),
    small('×', 110, 102),
    small('q', 102.5, 111),
    run('holds.', 125, 'CMR10'),
  ]
  const bbox = { x: 60, y: 95, width: 300, height: 18 }
  const [first] = page.blocks ?? []
  const whole = {
    ...page,
    blocks: [{ ...first, kind: 'paragraph' as const, text: 'r = p × q holds.', bbox }],
  }
  expect(read(whole, runs)).toEqual(['r = (p ×)/q holds.'])
})

test('a paragraph that goes on in the next column stays in its order', () => {
  const left = [item(700, ['Long', 70], ['words', 95]), item(712, ['begin', 70], ['here', 100])]
  const right = [item(100, ['hqi', 320], ['after', 345]), item(112, ['them', 320], ['below', 345])]
  const page = pageOf([...left, ...right], ['Long words begin here hqi after them below'])
  const bbox = { x: 60, y: 90, width: 400, height: 650 }
  const whole = { ...page, blocks: (page.blocks ?? []).map((block) => ({ ...block, bbox })) }
  const runs = [
    run('Long words', 70, 'CMR10', SIZE, 709),
    run('begin here', 70, 'CMR10', SIZE, 721),
    run('〈', 320, 'CMSY10'),
    run('q', 325),
    run('〉', 330, 'CMSY10'),
    run('after', 345, 'CMR10'),
    run('them below', 320, 'CMR10', SIZE, 121),
  ]
  expect(read(whole, runs)).toEqual(['Long words begin here ⟨q⟩ after them below'])
})

test('a sign that a run of text has as a letter is told by the box of its font', () => {
  const page = pageOf(
    [item(100, ['so', 70], ['C', 90, 7], ['is', 100], ['q', 120], ['C', 130, 7], ['Cp', 140])],
    ['so C is q C Cp'],
  )
  const runs = [run('so C is', 70, 'CMR10'), run('q', 120), run('C', 130, 'MSAM10'), run('Cp', 140)]
  expect(read(page, runs)).toEqual(['so ◁ is q ◁ Cp'])
})

test('a sign with the code of a ligature, which no run has, is that sign', () => {
  const page = pageOf([item(100, ['where', 70], ['k', 100], ['fi', 110], ['n', 125])], ['where k fi n'])
  expect(read(page, [run('where', 70, 'CMR10'), { ...run('k n', 100), width: 30 }])).toEqual(['where k ≪ n'])
})

test('a mark over another one is behind it, before what stands on the line', () => {
  const page = pageOf(
    [
      item(100, ['span', 70], ['w', 100], ['s+1,', 105, 12]),
      item(98, ['(i)', 105.3, 7]),
      item(100, ['and', 130]),
    ],
    ['span ws+1,', '(i)', 'and'],
  )
  const bbox = { x: 60, y: 96, width: 300, height: 18 }
  const whole = { ...page, blocks: [{ kind: 'paragraph' as const, text: 'span ws+1, (i) and', bbox }] }
  const runs = [
    run('span', 70, 'CMR10'),
    run('w', 100),
    { ...run('s+1', 105, 'CMMI7', 7, 112), width: 15 },
    run('(i)', 105.3, 'CMR7', 7, 104),
    run(',', 120),
    run('and', 130, 'CMR10'),
  ]
  expect(read(whole, runs)).toEqual(['span ws+1(i), and'])
})

test('an index has marks of its own, the lower one first', () => {
  const page = pageOf(
    [
      item(100, ['P', 70]),
      item(105, ['L', 75, 7]),
      item(105.5, ['i', 80, 4]),
      item(110.5, ['j', 80, 4]),
      item(100, ['q', 95]),
    ],
    ['P', 'L', 'i', 'j', 'q'],
  )
  const bbox = { x: 60, y: 96, width: 300, height: 22 }
  const whole = { ...page, blocks: [{ kind: 'paragraph' as const, text: 'P L i j q', bbox }] }
  const runs = [
    run('P', 70),
    run('L', 75, 'CMMI7', 7, 111.2),
    run('i', 80, 'CMMI5', 5, 109.2),
    run('j', 80, 'CMMI5', 5, 114),
    run('q', 95),
  ]
  expect(read(whole, runs)).toEqual(['PLji q'])
})
