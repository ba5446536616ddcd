// Checks the statements of a model's prose against the passages. A statement without a citation gets a citation of the passage that
// supports it. A statement without support is left out. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { type Sentence, sentences } from '../../language/sentences.ts'
import { words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import { isRule } from '../markdown-table.ts'
import { passageText } from '../passage.ts'
import { isAboutSearch, withoutAttribution } from './about-search.ts'
import { figureChecker } from './figures.ts'
import { blocksOf, findMarkers, type MarkdownBlock, type MarkerGroup, type Span } from './markers.ts'
import type { Draft } from './repair.ts'
import type { SupportChecker } from './support.ts'

// The share of a statement's content terms that a passage must contain to be cited for it.
const CITED_SHARE = 0.6
// A passage that is cited later in the same paragraph covers an earlier statement if it contains this share of its terms.
const COVERED_SHARE = 0.3
// The share of the words of a text without citations of its own, such as a row of a table, that must be in the passages.
const GROUNDED_SHARE = 0.5
// A sentence with fewer content terms is not a statement.
const STATEMENT_TERMS = 4
// A sentence with a figure needs fewer terms to be a statement: "The rent is £99."
const FIGURE_TERMS = 2

/** The sources that may support statements. */
export interface Grounds {
  passages: readonly Passage[]
  checker: SupportChecker
  /** Texts other than passages: the question, results of calculations. */
  otherSources: readonly string[]
  language: Language
}

export interface CheckedDraft {
  draft: Draft
  /** The number of statements that were left out. */
  leftOut: number
  /**
   * The offset of the first omitted statement that a later citation of its paragraph may still cover. Undefined if there is none.
   */
  undecidedFrom: number | undefined
}

/** The draft with the missing citations and without unsupported statements. New passages get numbers after those already cited. */
export function checkStatements(draft: Draft, grounds: Grounds): CheckedDraft {
  const { text, cited, unsupported } = draft
  const candidates = [...cited, ...grounds.passages.filter((passage) => !cited.includes(passage))]
  const source: CheckContext = {
    text,
    groups: findMarkers(text),
    candidates,
    judge: newJudge(grounds, candidates),
    // Statements whose markers were removed.
    unsupported: unsupported.filter((claim) => claim !== ''),
  }
  const blocks = blocksOf(text)
  const edits: Edit[] = []
  let undecidedFrom: number | undefined
  for (const [i, block] of blocks.entries()) {
    const editsOfBlock =
      block.type === 'paragraph' ? editsOfParagraph(source, block) : editsOfBlockAsWhole(source, block)
    edits.push(...editsOfBlock)
    const uncovered = editsOfBlock.find(({ isUncovered }) => isUncovered)
    if (i === blocks.length - 1 && uncovered) undecidedFrom = uncovered.start
  }
  const checkedText = joinLeftOut(edits, text).reduceRight(
    (result, edit) => `${result.slice(0, edit.start)}${edit.text}${result.slice(edit.end)}`,
    text,
  )
  return {
    draft: { text: checkedText.trim(), cited: candidates, statements: new Map(), unsupported: [] },
    leftOut: edits.filter(({ isLeftOut }) => isLeftOut).length,
    undecidedFrom,
  }
}

interface CheckContext {
  text: string
  groups: readonly MarkerGroup[]
  candidates: readonly Passage[]
  judge: Judge
  unsupported: readonly string[]
}

interface Edit extends Span {
  text: string
  isLeftOut: boolean
  /** Whether a later citation of the paragraph may still cover it. */
  isUncovered?: boolean
}

const leaveOut = ({ start, end }: Span, isUncovered = false): Edit => ({
  start,
  end,
  text: '',
  isLeftOut: true,
  isUncovered,
})

/** The edits of a heading, a code block or another block without cited sentences. */
function editsOfBlockAsWhole({ text, judge }: CheckContext, block: MarkdownBlock): Edit[] {
  const content = text.slice(block.start, block.end)
  const isGrounded =
    block.type === 'heading'
      ? judge.hasKnownFigures(content) && judge.isGroundedTail(content)
      : judge.isGrounded(content)
  return block.type === 'thematicBreak' || isGrounded ? [] : [leaveOut(block)]
}

function editsOfParagraph(source: CheckContext, block: MarkdownBlock): Edit[] {
  const paragraph = sentencesOf(source.text, block, source.groups)
  const rule = paragraph.findIndex((sentence) => isRule(sentence.text))
  if (rule >= 0) return editsOfTable(source, block, paragraph, rule)
  return paragraph.flatMap((sentence) => editOfSentence(source, block, sentence) ?? [])
}

/** Unsupported rows are left out. If the header is unsupported, or all rows are, the whole table is left out. */
function editsOfTable(
  { judge }: CheckContext,
  block: MarkdownBlock,
  lines: readonly Sentence[],
  rule: number,
): Edit[] {
  const isSupported = (line: Sentence): boolean =>
    isRule(line.text) || judge.isGrounded(withoutMarkers(line.text))
  const rows = lines.slice(rule + 1)
  if (!lines.slice(0, rule).every(isSupported) || (rows.length > 0 && !rows.some(isSupported)))
    return [leaveOut(block)]
  return rows.filter((row) => !isSupported(row)).map((row) => leaveOut(row))
}

function editOfSentence(source: CheckContext, block: MarkdownBlock, sentence: Sentence): Edit | undefined {
  const { text, groups, candidates, judge } = source
  const plain = withoutMarkers(sentence.text)
  // A row of an incomplete table.
  if (plain.startsWith('|')) return judge.isGrounded(plain) ? undefined : leaveOut(sentence)
  const last = groups.findLast(({ start, end }) => start >= sentence.start && end <= sentence.end)
  if (last) {
    const tail = text.slice(last.end, sentence.end)
    return judge.hasKnownFigures(plain) && judge.isGroundedTail(tail) ? undefined : leaveOut(sentence)
  }
  const lostMarker = source.unsupported.some((claim) => sentence.text.includes(claim))
  const content = withoutAttribution(sentence.text)
  const kind = judge.kindOf(content)
  if (kind === 'none' && !lostMarker) return undefined
  if (kind !== 'statement') return leaveOut(sentence)
  const at = sentence.start + endOf(sentence.text)
  const isOpaque = block.opaqueSpans.some((span) => isInside(at, span) || covers(span, sentence))
  const passage = judge.bestSource(content)
  if (passage)
    return isOpaque
      ? undefined
      : { start: at, end: at, text: ` [${candidates.indexOf(passage) + 1}]`, isLeftOut: false }
  if (judge.isContradicted(content)) return leaveOut(sentence)
  const mayStay = !lostMarker && judge.isHarmless(content)
  if (mayStay || isCovered(sentence, block, source)) return undefined
  return leaveOut(
    sentence,
    candidates.some((candidate) => judge.covers(candidate, sentence.text)),
  )
}

const isInside = (at: number, { start, end }: Span): boolean => start < at && at < end
const covers = (outer: Span, { start, end }: Span): boolean => outer.start <= start && end <= outer.end

/** The sentences of a block with the markers after them. Code and links are not divided. */
function sentencesOf(text: string, block: MarkdownBlock, groups: readonly MarkerGroup[]): Sentence[] {
  const result: Sentence[] = []
  for (const sentence of sentences(text.slice(block.start, block.end))) {
    const [start, end] = [block.start + sentence.start, block.start + sentence.end]
    const last = result.at(-1)
    const between = last ? text.slice(last.end, start) : '\n'
    const leadingGroup = groups.find((group) => group.start === start)
    const isDivided =
      last !== undefined &&
      block.opaqueSpans.some((span) => isInside(last.end, span) || isInside(start, span))
    // A marker after a sentence on the same line belongs to it.
    const from = last && leadingGroup && !between.includes('\n') ? leadingGroup.end : start
    if (last && (isDivided || from > start)) {
      const lastEnd = isDivided ? end : from
      result[result.length - 1] = { text: text.slice(last.start, lastEnd), start: last.start, end: lastEnd }
      if (isDivided) continue
    }
    const first = from + (/^\s*/.exec(text.slice(from, end))?.[0].length ?? 0)
    if (first < end) result.push({ text: text.slice(first, end), start: first, end })
  }
  return result
}

function isCovered(
  sentence: Sentence,
  block: MarkdownBlock,
  { groups, candidates, judge }: CheckContext,
): boolean {
  return groups
    .filter(({ start, end }) => start >= sentence.end && end <= block.end)
    .flatMap(({ numbers }) => numbers.flatMap((number) => candidates[number - 1] ?? []))
    .some((passage) => judge.covers(passage, sentence.text))
}

// The beginning of a line of a list or a quotation.
const LINE_BEGINNING = /^[ \t]*(?:[-*+>][ \t]+|\d{1,9}[.)][ \t]+)*$/

/** Joins neighbouring omissions, and extends them over the spaces and the empty line that would be left. */
function joinLeftOut(edits: readonly Edit[], text: string): Edit[] {
  const joined: Edit[] = []
  for (const edit of edits) {
    const last = joined.at(-1)
    if (last?.isLeftOut && edit.isLeftOut && /^[ \t]*$/.test(text.slice(last.end, edit.start)))
      joined[joined.length - 1] = { ...last, end: edit.end }
    else joined.push(edit)
  }
  return joined.map((edit) => (edit.isLeftOut ? withSpaceAround(edit, text) : edit))
}

function withSpaceAround(edit: Edit, text: string): Edit {
  const { start, end } = edit
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const spaceEnd = end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0)
  const isLineEnd = spaceEnd === text.length || text[spaceEnd] === '\n'
  const marks = openMarks(text.slice(start, end))
  if (!isLineEnd) return { ...edit, end: spaceEnd, text: marks }
  if (marks === '' && LINE_BEGINNING.test(text.slice(lineStart, start)))
    return { ...edit, start: lineStart, end: Math.min(text.length, spaceEnd + 1) }
  const spaceBefore = /[ \t]*$/.exec(text.slice(lineStart, start))?.[0].length ?? 0
  return { ...edit, start: start - spaceBefore, end: spaceEnd, text: marks }
}

/** The marks of emphasis at the beginning or end of a text whose counterpart is not in the text. */
function openMarks(text: string): string {
  const opening = /^[*_]{1,3}/.exec(text)?.[0] ?? ''
  const closing = /[*_]{1,3}$/.exec(text)?.[0] ?? ''
  return opening && closing ? '' : opening + closing
}

/** The position at which a marker is inserted: before the final punctuation of the sentence. */
const endOf = (sentence: string): number =>
  sentence.replace(/[\p{Sentence_Terminal}…]*["'”’»)*_]*$/u, '').trimEnd().length

const MARKERS = /[[【［][\d０-９\s,;&，、–—-]{1,80}[\]】］]/gu
const withoutMarkers = (text: string): string => text.replace(MARKERS, ' ')

interface Judge {
  hasKnownFigures(sentence: string): boolean
  /**
   * `none`: the sentence states nothing that needs a citation. `unknown`: it is not a statement, but contains names that no source
   * has.
   */
  kindOf(sentence: string): 'statement' | 'none' | 'unknown'
  bestSource(statement: string): Passage | undefined
  /** Whether a passage says the opposite of a sentence of the text. */
  isContradicted(text: string): boolean
  covers(passage: Passage, statement: string): boolean
  /** Whether a statement without a source contains no names and shares words with a passage. */
  isHarmless(statement: string): boolean
  /** Whether a text that cannot be cited by itself consists of words of the sources. */
  isGrounded(text: string): boolean
  /** The same for a heading and for the part of a sentence after its last marker. A short text only must not be contradicted. */
  isGroundedTail(text: string): boolean
}

function newJudge({ checker, otherSources, language }: Grounds, candidates: readonly Passage[]): Judge {
  const hasKnownFigures = figureChecker([...candidates.map(passageText), ...otherSources])
  const otherTerms = new Set(otherSources.flatMap((source) => [...contentTerms(source, language)]))
  const termsOf = (text: string): Set<string> => new Set(contentTerms(text, language))
  const isGroundedWord = (word: string): boolean => {
    const terms = contentTerms(word, language)
    return (
      terms.every((term) => otherTerms.has(term)) ||
      candidates.some((passage) => checker.overlap(word, passage).share === 1)
    )
  }
  const knownShare = (text: string): number => {
    const contents = [...words(text)].filter(({ raw }) => contentTerms(raw, language).length > 0)
    return contents.filter(({ raw }) => isGroundedWord(raw)).length / (contents.length || 1)
  }
  const isContradicted = (text: string): boolean =>
    sentences(text).some((sentence) =>
      candidates.some((passage) => checker.contradicts(sentence.text, passage)),
    )
  const isGrounded = (text: string): boolean =>
    hasKnownFigures(text) &&
    !isContradicted(text) &&
    (termsOf(text).size < FIGURE_TERMS ||
      knownShare(text) >= GROUNDED_SHARE ||
      candidates.some((passage) => checker.sharesWordsAcross(text, passage)))
  return {
    hasKnownFigures,
    kindOf: (sentence) => {
      if (isStatement(sentence, language)) return 'statement'
      if (!hasKnownFigures(sentence)) return 'unknown'
      const termCount = termsOf(sentence).size
      if (LEAD.test(sentence) && termCount < STATEMENT_TERMS) return 'none'
      const isForeign = !isAboutSearch(sentence) && termCount >= FIGURE_TERMS && knownShare(sentence) === 0
      return isForeign || !namesIn(sentence, language).every(isGroundedWord) ? 'unknown' : 'none'
    },
    bestSource: (statement) => {
      let best: { passage: Passage; share: number } | undefined
      for (const passage of candidates) {
        if (checker.isCalculatedFrom(statement, passage)) return passage
        const { share } = checker.overlap(statement, passage)
        const isBetter =
          share >= CITED_SHARE && share > (best?.share ?? 0) && checker.containsNumbers(statement, passage)
        if (isBetter && !checker.contradicts(statement, passage)) best = { passage, share }
      }
      return best?.passage
    },
    isContradicted,
    covers: (passage, statement) =>
      checker.overlap(statement, passage).share >= COVERED_SHARE &&
      checker.containsNumbers(statement, passage),
    isHarmless: (statement) =>
      namesIn(statement, language).length === 0 &&
      candidates.some((passage) => checker.sharesWords(statement, passage)),
    isGrounded,
    isGroundedTail: (text) =>
      termsOf(text).size < STATEMENT_TERMS ? !isContradicted(text) : isGrounded(text),
  }
}

// Matches the end of a question or of a text that leads to a list: "These are the parts:".
const LEAD = /[:?]["'”’»)*_]*$/

const isStatement = (sentence: string, language: Language): boolean =>
  !LEAD.test(sentence) &&
  !isAboutSearch(sentence) &&
  new Set(contentTerms(sentence, language)).size >= (/\d{2}/.test(sentence) ? FIGURE_TERMS : STATEMENT_TERMS)

/**
 * Numbers, codes, and capitalised words that do not start the sentence. In German, words with two capitals, because nouns have one.
 */
const namesIn = (sentence: string, language: Language): string[] =>
  [...words(sentence)].flatMap(({ raw, start }) =>
    /\p{N}/u.test(raw) ||
    (start > 2 && (language === 'de' ? /^\p{Lu}.*\p{Lu}/u : /^\p{Lu}/u).test(raw) && raw !== 'I')
      ? [raw]
      : [],
  )
