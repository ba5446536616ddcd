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

// A file may let its list begin at two billion.
const MAX_REPEATED_LETTERS = 20

/** A number in one of Word's formats. A format that is missing here gives decimal digits. */
export function numeral(count: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
    case 'upperLetter': {
      // After "z" follow "aa" and "bb".
      const letter = String.fromCharCode(97 + ((Math.max(1, count) - 1) % 26))
      const letters = letter.repeat(Math.min(MAX_REPEATED_LETTERS, Math.ceil(Math.max(1, count) / 26)))
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
      return otherFormats[format]?.(count) ?? String(count)
  }
}

function roman(count: number): string {
  let remaining = Math.min(count, 3999)
  let text = ''
  for (const [value, sign] of romans) {
    while (remaining >= value) {
      text += sign
      remaining -= value
    }
  }
  return text
}

const CHINESE = '一二三四五六七八九'

type WriteNumber = (count: number) => string | undefined

const chinese: WriteNumber = (count) => {
  if (count < 1 || count > 99) return undefined
  const tens = count < 10 ? '' : `${count < 20 ? '' : CHINESE[Math.floor(count / 10) - 1]}十`
  return tens + (CHINESE[(count % 10) - 1] ?? '')
}

const ordinal: WriteNumber = (count) => {
  const isTeen = count % 100 >= 11 && count % 100 <= 13
  return `${count}${(isTeen ? undefined : ['st', 'nd', 'rd'][(count % 10) - 1]) ?? 'th'}`
}

const otherFormats: Readonly<Record<string, WriteNumber>> = {
  ordinal,
  decimalEnclosedCircle: (count) =>
    count >= 1 && count <= 20 ? String.fromCodePoint(0x2460 + count - 1) : undefined,
  chineseCounting: chinese,
  chineseCountingThousand: chinese,
  japaneseCounting: chinese,
  taiwaneseCounting: chinese,
  taiwaneseCountingThousand: chinese,
  ideographDigital: (count) => (count < 10 ? chinese(count) : undefined),
}
