// The calculation with cells of a table that a question asks for: difference, percentage change, share, ratio, mean, sum, or the
// cell itself. Only the grammar of the question is read here. grid.ts finds the rows and columns that its words name. Pure.

import type { Language } from '../../../language/language.ts'
import { wholeWords } from '../../../language/words.ts'
import { type Bound, takeBounds } from './question.ts'

/** `years`: the question asks for the years in which an amount is an extreme or within a bound. */
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
  /** The words for each of the two cells. There is only one operand if the cells differ only in their years. */
  operands: [string] | [string, string]
  /** The words that are about both cells. */
  shared: string
  /** The years in the order of the question. */
  years: number[]
  /** Whether the years between the first and the last one are meant too. */
  isSpan: boolean
  /** How many years the table must have: "for the 3 years". */
  yearCount: number | undefined
  /** Whether the question asks for each value. */
  isOfEach: boolean
  /**
   * The words of the operation, such as "total" or "average". If the operation is `value`, the name of the row begins with them.
   */
  operationWords: string
  /** The condition for the years: an extreme or a bound. */
  bound?: 'most' | 'least' | Bound
}

const CHANGE_NOUNS =
  'change|increase|decrease|growth|decline|rise|drop|reduction|veränderung|änderung|anstieg|zunahme|abnahme|rückgang|zuwachs|wachstum|variation|évolution|augmentation|hausse|baisse|diminution|cambio|aumento|variación|crecimiento|disminución'
const CHANGE_VERBS =
  'changed?|increased?|decreased?|grow|grew|grown|declined?|rise|rose|risen|fall|fell|fallen|drop(?:ped)?|reduced?|verändert|gestiegen|gesunken|gewachsen|augmenté|diminué|baissé|aumentado|disminuido'
const CHANGE_NOUN_PAIR = String.raw`(?:${CHANGE_NOUNS})(?:\s*/\s*\(?(?:${CHANGE_NOUNS})\)?|\s*\((?:${CHANGE_NOUNS})\)(?=\s+(?:in|of)\s))?`
const PERCENT = 'percent(?:age)?|per cent|%|prozent|pour ?cent(?:age)?|porcentaje'
const CHANGE = wholeWords(
  `(?:${PERCENT}|relative|prozentuale[nrs]?) (?:${CHANGE_NOUN_PAIR})|(?:${PERCENT}) d(?:e |[’'])(?:${CHANGE_NOUNS})|(?:${CHANGE_NOUNS}) (?:in percent|in %|in prozent|en pourcentage|en %|porcentual|relative)|by (?:what|how many) (?:${PERCENT})|um wie ?viel prozent|de combien de (?:pour cent|%)|en qué porcentaje`,
)
const DIFFERENCE = wholeWords(
  `${CHANGE_NOUN_PAIR}|${CHANGE_VERBS}|difference|differenz|unterschied|différence|écart|diferencia`,
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
// Matches questions for something that is never an amount, such as a reason or a person.
const OTHER_QUESTION = wholeWords(
  '(?:^ )?(?:why|who|whom|whose|where|when|which|how (?:does|do|did|is|are|was|were|has|have)|warum|weshalb|wer|wo|wann|pourquoi|qui|où|quand|por qué|quién|dónde|cuándo)',
)

// The words between the two operands, after the word of the operation.
const OPERAND_SEPARATOR: Record<'difference' | 'ratio' | 'share', RegExp> = {
  difference: /\s(?:and|versus|vs\.?|compared (?:to|with)|und|et|y|with|from)\s/giu,
  ratio: /\s(?:to|and|over|zu|und|à|et|a|y)\s/giu,
  share:
    /\s(?:out of|among|amongst|in relation to|relative to|contributing to|over|to|is|are|was|were|consists? of|comes? from|came from|an|ist|sind|dans|est|en|es)\s/giu,
}
// "What percentage of the whole is the part?" names the whole first.
const WHOLE_FIRST = /^\s(?:is|are|was|were|consists? of|comes? from|came from|ist|sind|est|es)\s$/iu
const BETWEEN_WORD = /(?<![\p{L}])(?:between|zwischen|entre)(?![\p{L}])/iu

// Matches "2024", "FY 2024", "FY24"; not "2024%" and "2024.5".
const YEAR =
  /(?<![\p{L}\d.$€£/])(?:FY\s?)?((?:19|20)\d\d)(?!\d|%|[.,]\d)|(?<![\p{L}\d])FY\s?[’']?(\d\d)(?!\d)/giu
// Matches "from 2019 to " and "2019–2023".
const SPAN =
  /(?:between|from|zwischen|von|entre|de|desde)\s[^?]{0,40}?(?:19|20)\d\d\s*(?:to|and|until|through|bis|und|à|et|a|y|hasta|[-–])\s|(?:19|20)\d\d\s*[-–]\s*(?:19|20)\d\d/iu

// Matches a reference to all years of a table at the end of a question: "for the 3 years".
const ALL_YEARS =
  /(?:for|across|over|in|of) (?:all )?(?:the )?(?<count>\d|two|three|four|five) years(?=\s*$)/iu
const COUNT_WORDS = new Map([
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
])

export const yearsIn = (text: string): number[] =>
  [...text.matchAll(YEAR)].map(([, year, short]) => Number(year ?? `20${short}`))

/** The possible calculations of a question, the most likely first. Empty if the question does not ask for a calculation. */
export function calculationsIn(question: string, language: Language): Calculation[] {
  const text = ` ${question.replace(/[?¿!"“”‘’']/g, ' ').replace(/\s+/g, ' ')} `
  const years = [...new Set(yearsIn(text))]
  const count = ALL_YEARS.exec(text)?.groups?.count?.toLowerCase()
  const yearCount = count === undefined ? undefined : Number(COUNT_WORDS.get(count) ?? count)
  const commonFields = {
    years,
    yearCount,
    isSpan: SPAN.test(text),
    isOfEach: EACH.test(text),
    shared: '',
    operationWords: '',
  }
  const withoutYears = text.replace(YEAR, ' ').replace(EACH, ' ').replace(ALL_YEARS, ' ')
  const withOneOperand = (operation: CellOperation, rest: string, operationWords = ''): Calculation => ({
    ...commonFields,
    operation,
    operands: [rest],
    operationWords,
  })
  const withTwoOperands = (
    operation: 'difference' | 'ratio' | 'share',
    rest: string,
    shared: string,
  ): Calculation[] =>
    [...` ${rest} `.matchAll(OPERAND_SEPARATOR[operation])].map((separator) => {
      const sides = [
        rest.slice(0, separator.index),
        rest.slice(separator.index + separator[0].length - 1),
      ] as const
      const isWholeFirst = operation === 'share' && WHOLE_FIRST.test(separator[0])
      return {
        ...commonFields,
        operation,
        operands: isWholeFirst ? [sides[1], sides[0]] : [...sides],
        shared,
      }
    })
  const matchIn = (
    pattern: RegExp,
  ): { before: string; after: string; operationWords: string } | undefined => {
    const match = pattern.exec(withoutYears)
    return match
      ? {
          before: withoutYears.slice(0, match.index),
          after: withoutYears.slice(match.index + match[0].length),
          operationWords: match[0],
        }
      : undefined
  }
  for (const [operation, pattern] of [
    ['years', WHICH_YEARS],
    ['count of years', COUNT_OF_YEARS],
  ] as const) {
    const yearQuestion = matchIn(pattern)
    if (!yearQuestion) continue
    const { bounds, rest } = takeBounds(`${yearQuestion.before} ${yearQuestion.after}`, language)
    const [bound] = bounds
    if (bound) return bounds.length === 1 ? [{ ...withOneOperand(operation, rest), bound }] : []
    const isMost = MOST.test(rest)
    if (isMost === LEAST.test(rest)) return []
    return [
      {
        ...withOneOperand(operation, rest.replace(isMost ? MOST : LEAST, ' ')),
        bound: isMost ? 'most' : 'least',
      },
    ]
  }
  if (OTHER_QUESTION.test(withoutYears)) return []
  const change = matchIn(CHANGE)
  if (change) return [withOneOperand('change', `${change.before} ${change.after}`)]
  const asShare = matchIn(AS_SHARE)
  if (asShare) return [{ ...commonFields, operation: 'share', operands: [asShare.before, asShare.after] }]
  const share = matchIn(SHARE)
  if (share) {
    const shares = withTwoOperands('share', share.after, '')
    if (shares.length > 0) return shares
  }
  const ratio = matchIn(RATIO)
  if (ratio) return withTwoOperands('ratio', ratio.after, ratio.before)
  const difference = matchIn(DIFFERENCE)
  if (difference) {
    const rest = `${difference.before} ${difference.after}`
    if (years.length > 1) return [withOneOperand('difference', rest), withOneOperand('value', withoutYears)]
    if (years.length === 1 && !BETWEEN_WORD.test(withoutYears))
      return [
        withOneOperand('value', withoutYears),
        ...withTwoOperands('difference', difference.after, difference.before),
        withOneOperand('difference', rest),
      ]
    const between = BETWEEN_WORD.exec(difference.after)
    const [shared, sides] = between
      ? [
          `${difference.before} ${difference.after.slice(0, between.index)}`,
          difference.after.slice(between.index + between[0].length),
        ]
      : [difference.before, difference.after]
    return between
      ? withTwoOperands('difference', sides, shared)
      : [
          ...withTwoOperands('difference', sides, shared),
          withOneOperand('difference', rest),
          withOneOperand('value', withoutYears),
        ]
  }
  const mean = matchIn(MEAN)
  if (mean && commonFields.isOfEach) return [withOneOperand('value', withoutYears)]
  if (mean)
    return [
      withOneOperand('mean', withoutYears, mean.operationWords),
      withOneOperand('mean', `${mean.before} ${mean.after}`),
    ]
  const sum = matchIn(SUM)
  if (sum && !commonFields.isOfEach)
    return [
      withOneOperand('value', withoutYears, sum.operationWords),
      withOneOperand('sum', `${sum.before} ${sum.after}`),
      withOneOperand('value', withoutYears),
    ]
  return LOOK_UP.test(withoutYears) && years.length > 0 ? [withOneOperand('value', withoutYears)] : []
}
