// A question for a calculation over cells of a table that rows and columns name: difference, percentage change, share, ratio,
// mean, sum, and the cell itself. Only its grammar; grid.ts places its words. Pure.

import type { Language } from '../../../language/language.ts'
import { wholeWords } from '../../../language/words.ts'
import { type Bound, takeBounds } from './question.ts'

/** `years` are those whose amounts are the most or the least, or in bounds. */
export type CellOperation =
  | 'difference'
  | 'change'
  | 'share'
  | 'ratio'
  | 'mean'
  | 'sum'
  | 'value'
  | 'years'
  | 'count of years'

export interface Calculation {
  operation: CellOperation
  /** What the two cells are called; one for cells that only their years part. */
  operands: [string] | [string, string]
  /** What both are called beside that. */
  shared: string
  /** In the order of the question. */
  years: number[]
  /** The years from the first to the last are meant, too. */
  isSpan: boolean
  /** How many years the table has: "for the 3 years". */
  yearCount: number | undefined
  /** Each value is asked for. */
  isOfEach: boolean
  /** Words of the operation that a row may be called by as well: "total", "average"; of a value its name begins with them. */
  said: string
  /** Which years are meant. */
  bound?: 'most' | 'least' | Bound
}

const CHANGED =
  'change|increase|decrease|growth|decline|rise|drop|reduction|veränderung|änderung|anstieg|zunahme|abnahme|rückgang|zuwachs|wachstum|variation|évolution|augmentation|hausse|baisse|diminution|cambio|aumento|variación|crecimiento|disminución'
const CHANGED_VERB =
  'changed?|increased?|decreased?|grow|grew|grown|declined?|rise|rose|risen|fall|fell|fallen|drop(?:ped)?|reduced?|verändert|gestiegen|gesunken|gewachsen|augmenté|diminué|baissé|aumentado|disminuido'
const EITHER_WAY = String.raw`(?:${CHANGED})(?:\s*/\s*\(?(?:${CHANGED})\)?|\s*\((?:${CHANGED})\)(?=\s+(?:in|of)\s))?`
const PERCENT = 'percent(?:age)?|per cent|%|prozent|pour ?cent(?:age)?|porcentaje'
const CHANGE = wholeWords(
  `(?:${PERCENT}|relative|prozentuale[nrs]?) (?:${EITHER_WAY})|(?:${PERCENT}) d(?:e |[’'])(?:${CHANGED})|(?:${CHANGED}) (?:in percent|in %|in prozent|en pourcentage|en %|porcentual|relative)|by (?:what|how many) (?:${PERCENT})|um wie ?viel prozent|de combien de (?:pour cent|%)|en qué porcentaje`,
)
const DIFFERENCE = wholeWords(
  `${EITHER_WAY}|${CHANGED_VERB}|difference|differenz|unterschied|différence|écart|diferencia`,
)
const AS_SHARE = wholeWords(
  `(?:when )?(?:expressed )?as (?:an? )?(?:${PERCENT}|share|proportion|fraction) of|als (?:anteil|prozentsatz) (?:an|von)|en pourcentage d[eu]|como porcentaje de`,
)
const SHARE = wholeWords(
  `(?:${PERCENT}|share|proportion|anteil|part|proporción)(?: constitution)? (?:of|de[rsl]?|des|von)`,
)
const RATIO = wholeWords(
  '(?:ratio|verhältnis|rapport|relación|razón) (?:of|between|de[rsl]?|von|zwischen|entre)',
)
const MEAN = wholeWords('average|mean|durchschnitt(?:lich\\p{L}*)?|moyenne|promedio|la media')
const SUM = wholeWords(
  'sum of|sum|total|combined|altogether|in total|summe|gesamt|zusammen|insgesamt|somme|suma',
)
const LOOK_UP = wholeWords(
  'what|how (?:much|many)|was|wie (?:viel|hoch)|combien|quel(?:le)?s?|cuál(?:es)?|cuánt[oa]s?',
)
const EACH = wholeWords('respective(?:ly)?|each|jeweils?|respectiv\\p{L}*|chaque|cada')
const WHICH_YEARS = wholeWords(
  '(?:in |for |during )?(?:which|what)(?: fiscal| financial)? years?|in welche[mnr] jahr(?:en)?|en quelles? années?|en qué años?',
)
const COUNT_OF_YEARS = wholeWords(
  "(?:in |for |during )?how many(?: fiscal| financial)? years|in wie ?vielen jahren|en combien d[’']années|en cuántos años",
)
const MOST = wholeWords(
  'larg(?:er|est)|high(?:er|est)|great(?:er|est)|bigg(?:er|est)|größer|größten|höher|höchsten|plus (?:élevée?|grande?)|mayor|más alt[oa]',
)
const LEAST = wholeWords(
  'small(?:er|est)|low(?:er|est)|least|kleiner|kleinsten|niedriger|niedrigsten|plus (?:bas|basse|faible|petite?)|menor|más baj[oa]',
)
// Asks for a reason or a thing, which no amount is.
const OTHERWISE = wholeWords(
  '(?:^ )?(?:why|who|whom|whose|where|when|which|how (?:does|do|did|is|are|was|were|has|have)|warum|weshalb|wer|wo|wann|pourquoi|qui|où|quand|por qué|quién|dónde|cuándo)',
)

// What parts the two operands, after the operation.
const PART: Record<'difference' | 'ratio' | 'share', RegExp> = {
  difference: /\s(?:and|versus|vs\.?|compared (?:to|with)|und|et|y|with|from)\s/giu,
  ratio: /\s(?:to|and|over|zu|und|à|et|a|y)\s/giu,
  share:
    /\s(?:out of|among|amongst|in relation to|relative to|contributing to|over|to|is|are|was|were|consists? of|comes? from|came from|an|ist|sind|dans|est|en|es)\s/giu,
}
// "What percentage of the whole is the part?"
const WHOLE_FIRST = /^\s(?:is|are|was|were|consists? of|comes? from|came from|ist|sind|est|es)\s$/iu
const BETWEEN = /(?<![\p{L}])(?:between|zwischen|entre)(?![\p{L}])/iu

const YEAR =
  /(?<![\p{L}\d.$€£/])(?:FY\s?)?((?:19|20)\d\d)(?!\d|%|[.,]\d)|(?<![\p{L}\d])FY\s?[’']?(\d\d)(?!\d)/giu
const SPAN =
  /(?:between|from|zwischen|von|entre|de|desde)\s[^?]{0,40}?(?:19|20)\d\d\s*(?:to|and|until|through|bis|und|à|et|a|y|hasta|[-–])\s|(?:19|20)\d\d\s*[-–]\s*(?:19|20)\d\d/iu

// All of a table's years: which they are, its columns say.
const ALL_YEARS =
  /(?:for|across|over|in|of) (?:all )?(?:the )?(?<count>\d|two|three|four|five) years(?=\s*$)/iu
const COUNTS = new Map([
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
])

export const yearsIn = (text: string): number[] =>
  [...text.matchAll(YEAR)].map(([, year, short]) => Number(year ?? `20${short}`))

/** The ways to read a question as a calculation, the likeliest first; none for another question. */
export function calculationsIn(question: string, language: Language): Calculation[] {
  const text = ` ${question.replace(/[?¿!"“”‘’']/g, ' ').replace(/\s+/g, ' ')} `
  const years = [...new Set(yearsIn(text))]
  const count = ALL_YEARS.exec(text)?.groups?.count?.toLowerCase()
  const yearCount = count === undefined ? undefined : Number(COUNTS.get(count) ?? count)
  const base = { years, yearCount, isSpan: SPAN.test(text), isOfEach: EACH.test(text), shared: '', said: '' }
  const open = text.replace(YEAR, ' ').replace(EACH, ' ').replace(ALL_YEARS, ' ')
  const ofOne = (operation: CellOperation, rest: string, said = ''): Calculation => ({
    ...base,
    operation,
    operands: [rest],
    said,
  })
  const parted = (operation: 'difference' | 'ratio' | 'share', rest: string, shared: string): Calculation[] =>
    [...` ${rest} `.matchAll(PART[operation])].map((part) => {
      const sides = [rest.slice(0, part.index), rest.slice(part.index + part[0].length - 1)] as const
      const isTurned = operation === 'share' && WHOLE_FIRST.test(part[0])
      return { ...base, operation, operands: isTurned ? [sides[1], sides[0]] : [...sides], shared }
    })
  const at = (pattern: RegExp): { before: string; behind: string; said: string } | undefined => {
    const match = pattern.exec(open)
    return match
      ? {
          before: open.slice(0, match.index),
          behind: open.slice(match.index + match[0].length),
          said: match[0],
        }
      : undefined
  }
  for (const [operation, pattern] of [
    ['years', WHICH_YEARS],
    ['count of years', COUNT_OF_YEARS],
  ] as const) {
    const which = at(pattern)
    if (!which) continue
    const { bounds, rest } = takeBounds(`${which.before} ${which.behind}`, language)
    const [bound] = bounds
    if (bound) return bounds.length === 1 ? [{ ...ofOne(operation, rest), bound }] : []
    const isMost = MOST.test(rest)
    if (isMost === LEAST.test(rest)) return []
    return [
      { ...ofOne(operation, rest.replace(isMost ? MOST : LEAST, ' ')), bound: isMost ? 'most' : 'least' },
    ]
  }
  if (OTHERWISE.test(open)) return []
  const change = at(CHANGE)
  if (change) return [ofOne('change', `${change.before} ${change.behind}`)]
  const as = at(AS_SHARE)
  if (as) return [{ ...base, operation: 'share', operands: [as.before, as.behind] }]
  const share = at(SHARE)
  if (share) {
    const shares = parted('share', share.behind, '')
    if (shares.length > 0) return shares
  }
  const ratio = at(RATIO)
  if (ratio) return parted('ratio', ratio.behind, ratio.before)
  const difference = at(DIFFERENCE)
  if (difference) {
    const rest = `${difference.before} ${difference.behind}`
    if (years.length > 1) return [ofOne('difference', rest), ofOne('value', open)]
    if (years.length === 1 && !BETWEEN.test(open))
      return [
        ofOne('value', open),
        ...parted('difference', difference.behind, difference.before),
        ofOne('difference', rest),
      ]
    const between = BETWEEN.exec(difference.behind)
    const [shared, sides] = between
      ? [
          `${difference.before} ${difference.behind.slice(0, between.index)}`,
          difference.behind.slice(between.index + between[0].length),
        ]
      : [difference.before, difference.behind]
    return between
      ? parted('difference', sides, shared)
      : [...parted('difference', sides, shared), ofOne('difference', rest), ofOne('value', open)]
  }
  const mean = at(MEAN)
  if (mean && base.isOfEach) return [ofOne('value', open)]
  if (mean) return [ofOne('mean', open, mean.said), ofOne('mean', `${mean.before} ${mean.behind}`)]
  const sum = at(SUM)
  if (sum && !base.isOfEach)
    return [ofOne('value', open, sum.said), ofOne('sum', `${sum.before} ${sum.behind}`), ofOne('value', open)]
  return LOOK_UP.test(open) && years.length > 0 ? [ofOne('value', open)] : []
}
