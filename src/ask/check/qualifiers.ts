// Compares words that change the meaning of a sentence although its other words are the same: must, should or may; before or after;
// and words with opposite meanings. Pure.

import { fold, words } from '../../language/words.ts'

/** `other`: the qualifiers exclude each other. `more`: one text has a qualifier that the other does not have. */
export type QualifierComparison = 'same' | 'more' | 'other'

const wordPattern = (alternatives: string, flags = 'iu'): RegExp =>
  new RegExp(`(?<![\\p{L}])(?:${alternatives})(?![\\p{L}])`, flags)

type Modality = 'must' | 'should' | 'may' | 'prohibited'

// Only "may" is matched with its letter case, because "May" is a month.
const MODALITIES: readonly (readonly [Modality, readonly RegExp[]])[] = [
  [
    'must',
    [
      wordPattern(
        'must|shall|ha(?:s|ve|d) to|need(?:s|ed)?|required|obliged|obligatory|mandatory|compulsory|' +
          'muss|müssen|musste[n]?|brauch(?:t|en)|verpflichtet|verpflichtend|' +
          'doit|doivent|devra|devront|obligé(?:e?s?)|obligatoires?|tenue?s? de|besoin|' +
          'debe|deben|deberá|deberán|tiene que|tienen que|necesitan?|obligad[oa]s?|obligatori[oa]s?',
      ),
    ],
  ],
  [
    'should',
    [
      wordPattern(
        'should|ought|recommended|advised|soll|sollen|sollte|sollten|empfohlen|' +
          'devrait|devraient|recommandée?s?|debería|deberían|recomendad[oa]s?|recomienda',
      ),
    ],
  ],
  [
    'may',
    [
      wordPattern('may', 'u'),
      wordPattern(
        'can|might|could|allowed|permitted|optional|darf|dürfen|durfte[n]?|kann|können|könnte[n]?|erlaubt|gestattet|zulässig|' +
          'peut|peuvent|pourra|pourront|pourrait|permise?s?|autorisée?s?|' +
          'puede|pueden|podrá|podrán|podría|permitid[oa]s?|permite|permiten|autorizad[oa]s?',
      ),
    ],
  ],
  [
    'prohibited',
    [
      wordPattern(
        'prohibited|forbidden|banned|prohibits?|forbids?|verboten|untersagt|unzulässig|' +
          'interdite?s?|défendue?s?|prohibid[oa]s?|prohíben?',
      ),
    ],
  ],
]

type Order = 'before' | 'after'

const ORDERS: readonly (readonly [Order, RegExp])[] = [
  ['before', wordPattern('before|prior to|vor|bevor|avant|antes')],
  ['after', wordPattern('after|nach|nachdem|après|después|tras')],
]

// Pairs of opposites, by the beginnings of folded words.
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:increas|rise|rose|rising|grow|grew|erhoh|stieg|steig|augment|hauss|aument|subi)/,
    /^(?:decreas|fall|fell|shrink|shrank|sank|sink|senk|gesenkt|fiel|diminu|baiss|disminu|baj)/,
  ],
  [/^(?:includ|inklusiv|inclu|enthalt)/, /^(?:exclud|exklusiv|exclu|ausgeschloss)/],
  [/^(?:accept|akzept|angenomm|acept)/, /^(?:refus|reject|abgelehn|rehus|rechaz)/],
  [/^(?:open|offen|geoffnet|ouvert|abiert)/, /^(?:clos|shut|geschloss|ferm|cerrad)/],
  [/^(?:minimum|mindest)/, /^(?:maximum|hochst)/],
  [/^(?:above|over|uber|oberhalb|dessus|encima)$/, /^(?:below|under|unter|unterhalb|dessous|debajo)$/],
  [/^(?:inside|indoors?|innerhalb|dedans|dentro)$/, /^(?:outside|outdoors?|ausserhalb|dehors|fuera)$/],
  [/^(?:buy|bought|kauf|gekauft|achet|compra)/, /^(?:sell|sold|verkauf|vend)/],
  [/^(?:begin|began|start|beginn|commenc|empiez|comienz)/, /^(?:end|stop|ceas|finish|endet|fini|termin)/],
]
const NEGATIVE_PREFIX = /^(?:un|non|dis|in|im|ir|il|des|mis)-?(?=\p{L}{4})/u

// Divides a sentence into parts that may have different modalities.
const PART_BREAK = /[,;:\n]\s|\s(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero)\s/iu

export function compareQualifiers(claim: string, evidence: string): QualifierComparison {
  const claimWords = foldedWords(claim)
  const evidenceWords = foldedWords(evidence)
  const compared = [
    compareModality(modalityOf(claim), modalityOf(partsOn(claimWords, evidence))),
    compareOrder(orderOf(claim), orderOf(evidence)),
    hasOpposite(claimWords, evidenceWords) ? 'other' : 'same',
  ]
  if (compared.includes('other')) return 'other'
  return compared.includes('more') ? 'more' : 'same'
}

/**
 * The parts of the evidence with a modality that share the most words with the claim. All of them if the evidence is in another
 * language, because then no part shares a word.
 */
function partsOn(claimWords: ReadonlySet<string>, evidence: string): string {
  const parts = evidence
    .split(PART_BREAK)
    .filter((part) => modalityOf(part).size > 0)
    .map((part) => ({ part, sharedCount: sharedWordCount(foldedWords(part), claimWords) }))
  const maxShared = Math.max(0, ...parts.map(({ sharedCount }) => sharedCount))
  return parts
    .filter(({ sharedCount }) => sharedCount === maxShared)
    .map(({ part }) => part)
    .join('\n')
}

const MIN_CONTENT_LENGTH = 4
const foldedWords = (text: string): ReadonlySet<string> =>
  new Set([...words(text)].map(({ raw }) => fold(raw)))
/** The number of words of at least MIN_CONTENT_LENGTH characters that both have. */
const sharedWordCount = (words: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...words].filter((word) => word.length >= MIN_CONTENT_LENGTH && others.has(word)).length

const modalityOf = (text: string): ReadonlySet<Modality> =>
  new Set(
    MODALITIES.filter(([, patterns]) => patterns.some((pattern) => pattern.test(text))).map(
      ([modality]) => modality,
    ),
  )

const orderOf = (text: string): ReadonlySet<Order> =>
  new Set(ORDERS.filter(([, pattern]) => pattern.test(text)).map(([order]) => order))

/** Compares the modalities. A claim without one may be supported by "must": "Tenants paint" follows from "Tenants must paint". */
function compareModality(
  claim: ReadonlySet<Modality>,
  statement: ReadonlySet<Modality>,
): QualifierComparison {
  const isWithin = [...claim].every((modality) => statement.has(modality))
  if (claim.size > 0 && statement.size > 0)
    return isWithin && statement.size === claim.size ? 'same' : 'other'
  return isWithin && [...statement].every((modality) => modality === 'must') ? 'same' : 'more'
}

/** Compares the orders. The evidence may have an order in addition to that of the claim, but not a different one. */
function compareOrder(claim: ReadonlySet<Order>, statement: ReadonlySet<Order>): QualifierComparison {
  if ([...claim].every((order) => statement.has(order))) return 'same'
  return statement.size > 0 ? 'other' : 'more'
}

/** Whether a word that only the claim has is the opposite of a word that only the statement has. */
function hasOpposite(claim: ReadonlySet<string>, statement: ReadonlySet<string>): boolean {
  const onlyInClaim = [...claim].filter((word) => !statement.has(word))
  const onlyInStatement = [...statement].filter((word) => !claim.has(word))
  return onlyInClaim.some((word) => onlyInStatement.some((other) => areOpposite(word, other)))
}

const areOpposite = (one: string, other: string): boolean =>
  OPPOSITES.some(
    ([left, right]) => (left.test(one) && right.test(other)) || (left.test(other) && right.test(one)),
  ) ||
  isNegated(one, other) ||
  isNegated(other, one)

/** Whether the first word is the second with a negating prefix: "uninsured", "insured". */
const isNegated = (negative: string, positive: string): boolean =>
  NEGATIVE_PREFIX.test(negative) && negative.replace(NEGATIVE_PREFIX, '') === positive
