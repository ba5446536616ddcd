// What kind of thing a question asks for, and whether a sentence, a cell or a column holds such a thing.
// English questions are recognised; in other languages the type is `any` and only the words count.

export type AnswerType =
  | 'person'
  | 'place'
  | 'date'
  | 'duration'
  | 'money'
  | 'count'
  | 'measure'
  | 'percent'
  | 'reason'
  | 'any'

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const SPELLED =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|thirty|sixty|ninety'
const CURRENCY = String.raw`[€$£¥₹]|\b(?:eur|usd|gbp|chf|euros?|dollars?|pounds?|francs?)\b`

interface Kind {
  /** The question asks for this. */
  asks: RegExp
  /** The text holds such a thing. */
  holds: RegExp
  /** A table's column of such things. */
  column?: RegExp
  /** Words of a question that only name the kind: the answer need not repeat them. */
  says: RegExp
}

// Checked in this order: the narrower first.
const kinds: Record<Exclude<AnswerType, 'any'>, Kind> = {
  percent: {
    asks: /\b(?:what|which) (?:share|percentage|percent|proportion|interest|rate)|\bhow many percent/i,
    holds: /\d\s?(?:%|percent|per cent)/i,
    column: /%|percent|rate|share/i,
    says: /^(?:percent\w*|share|proportion|rate)$/i,
  },
  money: {
    asks: /\bhow much (?:do|does|did|is|are|was|were|will|would|money|rent|for)\b|\b(?:cost|costs|price|prices|priced|fee|fees|rent|salary|budget|charge|deposit|worth)\b/i,
    holds: new RegExp(
      String.raw`(?:${CURRENCY})\s?\d|\d[\d.,]*\s?(?:million|billion|thousand|k|m|bn)?\s?(?:${CURRENCY})`,
      'i',
    ),
    column: new RegExp(`price|cost|fee|rate|amount|total|budget|rent|${CURRENCY}`, 'i'),
    says: /^(?:costs?|prices?|priced|fees?|amount|much|money|pay|paid|worth|charged?)$/i,
  },
  duration: {
    asks: /\bhow (?:long|much (?:time|notice|warning|leave))\b|\b(?:notice period|period of notice|what period|duration)\b/i,
    holds: new RegExp(
      String.raw`\b(?:\d+|${SPELLED}|an?)[\s-]+(?:\((?:\w+)\)\s+)?(?:full |calendar |working |business )?(?:second|minute|hour|day|night|week|month|quarter|year|decade)s?\b`,
      'i',
    ),
    column: /duration|period|days|weeks|months|years|hours|lead time/i,
    says: /^(?:long|much|time|period|duration)$/i,
  },
  count: {
    asks: /\bhow many\b|\b(?:the )?number of\b/i,
    holds: new RegExp(String.raw`\d|\b(?:${SPELLED})\b`, 'i'),
    column: /count|number|quantity|qty|pieces|units|stock|berths|seats/i,
    says: /^(?:many|number|count)$/i,
  },
  measure: {
    asks: /\bhow (?:wide|tall|high|heavy|large|big|far|fast|deep|old|thick|hot|cold|strong|powerful|much)\b|\b(?:weight|width|height|length|dimensions?|size|capacity|power|voltage|speed|temperature|depth|draught)\b/i,
    holds: /\d/,
    column: /weight|width|height|length|dimension|size|capacity|power|voltage|speed|depth|unit|value/i,
    says: /^(?:wide|tall|high|heavy|large|big|far|fast|deep|thick|much)$/i,
  },
  date: {
    asks: /\bwhen\b|\b(?:what|which|on what|by what) (?:date|day|year|month|time|deadline)\b|\bdeadline\b|\bsince when\b/i,
    holds: new RegExp(
      String.raw`\b(?:1[5-9]|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}(?:[./-]\d{2,4})?\b|\b(?:${MONTH})\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b\d{1,2}[:.]\d\d\b|\b(?:today|yesterday|tomorrow|noon|midnight)\b`,
      'i',
    ),
    column: /date|day|year|month|when|due|deadline|time/i,
    says: /^(?:dates?|day|year|month|time|deadline|happen\w*|take|took|place)$/i,
  },
  reason: {
    asks: /\bwhy\b|\bfor what reason\b|\bwhat (?:caused|is the reason)\b/i,
    holds:
      /\b(?:because|since|due to|owing to|in order to|so that|therefore|as a result|reasons?|caused?)\b/i,
    says: /^(?:reasons?|caused?)$/i,
  },
  person: {
    asks: /\b(?:who|whom|whose)\b/i,
    holds:
      /\p{Lu}[\p{L}'’.-]+(?:\s+(?:(?:van|von|de|da|der|den|di|al|of|and|&)\s+)?\p{Lu}[\p{L}'’.-]+)+|\b(?:Mr|Mrs|Ms|Dr|Prof)\b/u,
    column: /name|supplier|vendor|contact|person|owner|manager|author|customer|member|role|by$/i,
    says: /^(?:persons?|name|people|individual)$/i,
  },
  place: {
    asks: /\bwhere\b|\b(?:what|which) (?:city|town|country|place|address|location|street|port|harbour|harbor|room|building)\b/i,
    holds:
      /\b(?:in|at|on|from|to|near|of)\s+(?:the\s+)?\p{Lu}|\b(?:street|road|avenue|quay|lane|square|room|floor|building)\b/iu,
    column: /place|location|address|city|country|room|site|where/i,
    says: /^(?:located?|place|location|address|found)$/i,
  },
}

const ORDER = Object.keys(kinds) as Exclude<AnswerType, 'any'>[]

/** What the question asks for; the kind that its words name first, `any` when none does. */
export function answerType(question: string): AnswerType {
  let best: { type: AnswerType; at: number } = { type: 'any', at: Number.POSITIVE_INFINITY }
  for (const type of ORDER) {
    const at = question.search(kinds[type].asks)
    if (at >= 0 && at < best.at) best = { type, at }
  }
  return best.type
}

/** Whether a text holds a thing of the kind; anything holds `any`. */
export const holdsType = (type: AnswerType, text: string): boolean =>
  type === 'any' ||
  (type === 'place' ? /\p{Lu}/u.test(text) && kinds.place.holds.test(text) : kinds[type].holds.test(text))

/** Whether a table's column of that name would hold things of the kind. */
export const isColumnOf = (type: AnswerType, header: string): boolean =>
  type !== 'any' && (kinds[type].column?.test(header) ?? false)

/** Whether the word only names the kind asked for ("cost" in "What does it cost?"). */
export const namesType = (type: AnswerType, word: string): boolean =>
  type !== 'any' && kinds[type].says.test(word)
