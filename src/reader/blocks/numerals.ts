// Numbers as Word's lists write them ([ECMA-376-1] 17.18.59).

const romans: readonly [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

// A file may have its list begin at two billions.
const MOST_SIGNS = 20

/** A number in one of Word's formats; the rarest ones as decimals. */
export function numeral(count: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
    case 'upperLetter': {
      const letter = String.fromCharCode(97 + ((Math.max(1, count) - 1) % 26))
      const letters = letter.repeat(Math.min(MOST_SIGNS, Math.ceil(Math.max(1, count) / 26)))
      return format === 'upperLetter' ? letters.toUpperCase() : letters
    }
    case 'lowerRoman':
      return roman(count)
    case 'upperRoman':
      return roman(count).toUpperCase()
    case 'decimalZero':
      return String(count).padStart(2, '0')
    case 'none':
      return ''
    default:
      return others[format]?.(count) ?? String(count)
  }
}

const roman = (count: number): string => inValues(Math.min(count, 3999), romans).text

/** A number as the sum of signs, the largest first, and what is left of it. */
function inValues(count: number, signs: readonly [number, string][]): { text: string; rest: number } {
  let rest = count
  let text = ''
  for (const [value, sign] of signs) {
    while (rest >= value) {
      text += sign
      rest -= value
    }
  }
  return { text, rest }
}

const CARDINALS =
  'One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(
    ' ',
  )
const ORDINALS =
  'First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth'.split(
    ' ',
  )
const TENS = 'Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ')
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщыэюя'
const CHINESE = '一二三四五六七八九'
const HEBREW: readonly [number, string][] = [
  [100, 'ק'],
  [90, 'צ'],
  [80, 'פ'],
  [70, 'ע'],
  [60, 'ס'],
  [50, 'נ'],
  [40, 'מ'],
  [30, 'ל'],
  [20, 'כ'],
  [16, 'טז'],
  [15, 'טו'],
  [10, 'י'],
]

type Written = (count: number) => string | undefined

/** From 1 to 99 as words of English. */
const inWords =
  (units: readonly string[], round: (ten: string) => string): Written =>
  (count) => {
    const ten = TENS[Math.floor(count / 10) - 2]
    if (ten === undefined || count > 99) return units[count - 1]
    return count % 10 === 0 ? round(ten) : `${ten}-${units[(count % 10) - 1]?.toLowerCase()}`
  }

const chinese: Written = (count) => {
  if (count < 1 || count > 99) return undefined
  const tens = count < 10 ? '' : `${count < 20 ? '' : CHINESE[Math.floor(count / 10) - 1]}十`
  return tens + (CHINESE[(count % 10) - 1] ?? '')
}

/** Around again behind the last sign, as often as a sign is written. */
const inSigns =
  (signs: string): Written =>
  (count) =>
    (signs[(Math.max(1, count) - 1) % signs.length] ?? '').repeat(
      Math.min(MOST_SIGNS, Math.ceil(Math.max(1, count) / signs.length)),
    )

const ordinal: Written = (count) => {
  const isTeen = count % 100 >= 11 && count % 100 <= 13
  return `${count}${(isTeen ? undefined : ['st', 'nd', 'rd'][(count % 10) - 1]) ?? 'th'}`
}

const hebrew: Written = (count) => {
  const { text, rest } = inValues(Math.min(count, 999), HEBREW)
  return text + (rest > 0 ? String.fromCodePoint(0x5d0 + rest - 1) : '')
}

const others: Readonly<Record<string, Written>> = {
  ordinal,
  cardinalText: inWords(CARDINALS, (ten) => ten),
  ordinalText: inWords(ORDINALS, (ten) => ten.replace(/y$/, 'ieth')),
  chicago: inSigns('*†‡§'),
  russianLower: inSigns(RUSSIAN),
  russianUpper: inSigns(RUSSIAN.toUpperCase()),
  hebrew1: hebrew,
  decimalEnclosedCircle: (count) =>
    count >= 1 && count <= 20 ? String.fromCodePoint(0x2460 + count - 1) : undefined,
  chineseCounting: chinese,
  chineseCountingThousand: chinese,
  japaneseCounting: chinese,
  taiwaneseCounting: chinese,
  taiwaneseCountingThousand: chinese,
  ideographDigital: (count) => (count < 10 ? chinese(count) : undefined),
}
