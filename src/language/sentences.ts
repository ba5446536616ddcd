// Splits text into sentences. Abbreviations, initials, decimals and list numbers do not end a sentence. A line break ends one,
// unless it only wraps a line. One pass, linear time, any script.

import { SHORT_MONTHS } from './months.ts'

export interface Sentence {
  /** Verbatim, without the white space around it. */
  text: string
  /** Offsets in UTF-16 units: `text === source.slice(start, end)`. */
  start: number
  end: number
}

// Where a sentence may end: at final punctuation with closing marks and the white space after it, or at line breaks.
const POSSIBLE_END =
  /(?<ends>[\p{Sentence_Terminal}…]+)(?<closers>["'”’»›)\]}」』】》）*_]*)(?<space>\s*)|[\n\r\u2028\u2029]\s*/gu
const FULL_WIDTH_STOP = /[。！？｡．︒﹒﹗﹖]/u
const LINE_BREAK = /[\n\r\u2028\u2029]/

/** The sentences of a text in reading order. Empty if the text has only white space. */
export function sentences(text: string): Sentence[] {
  const result: Sentence[] = []
  let start = 0
  for (const match of text.matchAll(POSSIBLE_END)) {
    const next = match.index + match[0].length
    if (match.index < start || !isSentenceEnd(text, start, match, next)) continue
    const { ends, space = '' } = match.groups ?? {}
    pushSentences(result, text, start, ends === undefined ? match.index : next - space.length)
    start = next
  }
  pushSentences(result, text, start, text.length)
  return result
}

// Thai and Lao end a sentence with a space, but also separate clauses and names by spaces. A space counts as the end of a
// sentence if there are at least this many characters before and after it.
const MIN_SPACED_CHARACTERS = 100
const SPACE_IN_UNSPACED_SCRIPT = /(?<=[\p{Script=Thai}\p{Script=Lao}]) +(?=[\p{Script=Thai}\p{Script=Lao}])/gu

function pushSentences(target: Sentence[], text: string, from: number, to: number): void {
  let start = from
  if (to - from > MIN_SPACED_CHARACTERS)
    for (const { 0: space, index } of text.slice(from, to).matchAll(SPACE_IN_UNSPACED_SCRIPT)) {
      if (from + index - start < MIN_SPACED_CHARACTERS || to - from - index < MIN_SPACED_CHARACTERS) continue
      pushTrimmed(target, text, start, from + index)
      start = from + index + space.length
    }
  pushTrimmed(target, text, start, to)
}

function pushTrimmed(target: Sentence[], text: string, from: number, to: number): void {
  const raw = text.slice(from, to)
  const trimmed = raw.trim()
  if (!trimmed) return
  const start = from + raw.indexOf(trimmed)
  target.push({ text: trimmed, start, end: start + trimmed.length })
}

function isSentenceEnd(text: string, start: number, match: RegExpExecArray, next: number): boolean {
  const { ends, closers = '', space = '' } = match.groups ?? {}
  if (ends === undefined) return !isWrappedLine(text, match.index, next)
  if (next >= text.length || FULL_WIDTH_STOP.test(ends)) return true
  if (!space) return false
  const isLineContinued = !LINE_BREAK.test(space) || isWrappedLine(text, next - space.length, next)
  if (!isLineContinued) return true
  const following = text.slice(next, next + 24)
  if (/^\p{Ll}/u.test(following)) return false
  return ends !== '.' || closers !== '' || !isAbbreviation(text, start, match.index, following)
}

// A line of this length that continues in lower case was wrapped; shorter ones are list items and headings. A line of full
// length without final punctuation was wrapped, even if the next one begins with a name, a number, or code.
const MIN_WRAPPED_CHARACTERS = 40
const MIN_FULL_LINE_CHARACTERS = 60

function isWrappedLine(text: string, lineEnd: number, next: number): boolean {
  const gap = text.slice(lineEnd, Math.min(next, lineEnd + 200))
  if ((gap.match(/\n|\r(?!\n)|\u2028|\u2029/g)?.length ?? 0) !== 1) return false
  const line = text.slice(Math.max(0, lineEnd - 200), lineEnd)
  const lineLength = line.length - 1 - Math.max(line.lastIndexOf('\n'), line.lastIndexOf('\r'))
  if (lineLength < MIN_WRAPPED_CHARACTERS || /[:;|]\s*$/.test(line.slice(-10))) return false
  const following = text.slice(next, next + 40)
  if (/^(?:\p{Ll}[\p{L}’'-]*[\s,.;)]|\()/u.test(following)) return true
  if (lineLength < MIN_FULL_LINE_CHARACTERS) return false
  const endsWithinSentence = /[\p{L}\p{N},]\s*$/u.test(line)
  const startsWithWord = /^["'“‘«(]?[\p{L}\p{N}]/u.test(following)
  const startsListItem = /^(?:\d{1,3}|\p{L})[.)]\s/u.test(following)
  return endsWithinSentence && startsWithWord && !startsListItem
}

// Abbreviations after which the word or number follows that they introduce, so that they do not end a sentence.
const INTRODUCING_ABBREVIATIONS = new Set([
  ...SHORT_MONTHS.keys(),
  ...(
    'mr mrs ms mx messrs mmes dr drs prof rev fr sr jr st ste hon pres gov sen rep amb gen col lt maj capt cmdr adm ' +
    'sgt cpl pvt supt insp no nos nr fig figs tab eq eqs ch chap sec sect art arts para paras vol vols pp p pg ed eds ' +
    'ref refs cf vs v viz approx ca c al e.g i.e eg ie resp incl excl bzgl bzw z.b d.h u.a s.o vgl abs ziff abb ' +
    'tel hr hrn frl dipl ing mme mlle m sra srta av avda rte mt ft'
  ).split(' '),
])
// Abbreviations that end a sentence only before a word that typically starts one.
const ENDING_ABBREVIATIONS = new Set(
  'inc ltd co corp llc plc bros dept div est assn univ intl etc usw a.m p.m am pm u.s u.k u.n e.u d.c ph.d b.a m.a b.sc m.sc esq mio mrd'.split(
    ' ',
  ),
)
const SENTENCE_STARTERS = new Set(
  (
    'the a an this that these those it its he she they we i you his her their our my in on at by for from with as if ' +
    'when while after before since because although but and or so yet however there here what who where why how no ' +
    'not all each both some many most one two such under upon during between following der die das ein eine es er sie ' +
    'wir ich im am bei mit nach von für wenn als le la les un une il elle nous vous ils en dans pour el los las una ' +
    'se no si gli lo e o di da het de een'
  ).split(' '),
)
const MONTHS =
  /^(?:jan|feb|mär|mar|apr|may|mai|mag|jun|giu|jul|lug|aug|ago|sep|set|o[ck]t|ott|nov|de[cz]|dic|fév|avr|juin|juil|août)\p{L}{0,8}\b/iu

/** Whether the full stop at `stopIndex` belongs to an abbreviation. */
function isAbbreviation(text: string, start: number, stopIndex: number, following: string): boolean {
  const context = text.slice(Math.max(start, stopIndex - 24), stopIndex)
  const word = /[\p{L}\p{N}.&-]+$/u.exec(context)?.[0] ?? ''
  if (word === '') return false
  const startsNextSentence = SENTENCE_STARTERS.has(
    (/^["'“‘«(]*(\p{L}+)/u.exec(following)?.[1] ?? '').toLowerCase(),
  )
  // The number of a list item ("1. Title") or of a day ("6. Juli").
  if (/^\d{1,3}$/.test(word)) {
    const isListNumber = stopIndex - start < 12 && text.slice(start, stopIndex).trim().length === word.length
    return isListNumber || (word.length <= 2 && MONTHS.test(following))
  }
  // An initial.
  if (/^\p{L}$/u.test(word)) return word !== 'I' && !startsNextSentence
  // An abbreviation with points inside, such as U.S.
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word))
    return INTRODUCING_ABBREVIATIONS.has(word.toLowerCase()) || !startsNextSentence
  const folded = word.toLowerCase()
  return (
    (INTRODUCING_ABBREVIATIONS.has(folded) && isUsedAsAbbreviation(folded, following)) ||
    (ENDING_ABBREVIATIONS.has(folded) && !startsNextSentence)
  )
}

/** Whether a word is used as an abbreviation. Those that are also words (no, art, may) are abbreviations only before a number. */
const isUsedAsAbbreviation = (word: string, following: string): boolean =>
  !/^(?:no|nos|nr|art|tab|ch|sec|pg|ed|mar|may|jun|abs|para)$/.test(word) || /^["'(§]?\p{N}/u.test(following)
