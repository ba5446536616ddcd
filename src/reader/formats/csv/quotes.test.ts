// Unclosed quotes in CSV.

import { expect, test } from 'vitest'
import { mendQuotes, usualCells } from './quotes.ts'

async function mended(text: string, delimiter = ',', size = text.length): Promise<string> {
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  )
  let out = ''
  for await (const piece of mendQuotes(
    (async function* () {
      yield* pieces
    })(),
    delimiter,
    usualCells(text, delimiter),
  ))
    out += piece
  return out
}

const head = 'id,name,tons\n'

test('an open quote with rows behind it is a character, wherever the next quote stands and the text is cut', async () => {
  const rows = '2,cod,7\n3,"herring, salted",9\n4,hake,2\n'
  for (const size of [1, 7, 1000]) {
    expect(await mended(`${head}1,"sprat,5\n${rows}`, ',', size)).toBe(`${head}1,"""sprat",5\n${rows}`)
    expect(await mended(`${head}1,"sprat,5\n${rows}5,"eel,1\n6,ray,2\n`, ',', size)).toBe(
      `${head}1,"""sprat",5\n${rows}5,"""eel",1\n6,ray,2\n`,
    )
  }
  expect(await mended('id;wide;tons\n1;"5"";3\n2;7";4\n3;8;4\n', ';')).toBe(
    'id;wide;tons\n1;"""5""""";3\n2;"7""";4\n3;8;4\n',
  )
})

test('a quote that nothing closes costs no other row, whatever stands in its own', async () => {
  const rows = `1,"say ""aye"", then go",Ann\n2,"two\nlines",Bo\n3,5" and 7",Cy\n`
  for (const [broken, mendedRow] of [
    ['4,"open, Dee\n', '4,"""open", Dee\n'],
    ['4,"open, and more, Dee', '4,"""open", and more, Dee'],
  ] as const) {
    for (const size of [1, 1000])
      expect(await mended(`${head}${rows}${broken}`, ',', size)).toBe(`${head}${rows}${mendedRow}`)
  }
  expect(await mended(`${head}${rows}4,"open, Dee\n5,ok,Eve\n`)).toBe(
    `${head}${rows}4,"""open", Dee\n5,ok,Eve\n`,
  )
})

test('cells of several lines stay whole: their lines are no rows', async () => {
  for (const cell of ['"two\nlines"', '"a\nfast, cheap, good\nend"', '"x ""y""\n\nz"']) {
    const text = `${head}1,${cell},5\n2,cod,7\n3,"${'word\n'.repeat(200)}",1\n4,eel,2\n`
    for (const size of [1, 7, 10_000]) expect(await mended(text, ',', size)).toBe(text)
  }
  // A list of words in the last of three columns.
  const last = 'id,tons,note\n1,5,"salted\ndried, smoked, fresh"\n2,7,none\n3,8,none\n'
  expect(await mended(last)).toBe(last)
  // Decimals in cells of two lines: each line has as many commas as a row.
  const doses = 'id,dose,note\n1,2.5,plain\n2,"1,5\n2,5",twice\n3,"{""a"":1,""b"":2\n,""c"":3}",one\n4,1,x\n'
  for (const size of [1, 7, 10_000]) expect(await mended(doses, ',', size)).toBe(doses)
  // Two columns: a quote that is closed later is taken for what it may be.
  expect(await mended('a,b\n1,"x\n2,y"\n')).toBe('a,b\n1,"x\n2,y"\n')
  expect(await mended('a,b\n1,"x, y"\n2,"y\n')).toBe('a,b\n1,"x, y"\n2,"""y"\n')
})
