// Verifies the prose of a model while it is written. Each sentence is checked against the passages when it is complete, and left
// out without support. The answer consists of the verified sentences, so it always begins with the text that was already shown.

import { guessLanguage } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import { sentences } from '../../language/sentences.ts'
import type { Passage } from '../../search/passage.ts'
import { fenceAtEnd, nextBlock } from './markdown-blocks.ts'
import { findMarkers } from './markers.ts'
import type { Draft } from './repair.ts'
import { checkStatements, type Grounds } from './statements.ts'
import { type Calculation, supportChecker } from './support.ts'
import { MAX_ROUNDS, newDraft, repairedDraft, type Verified, verifiedAnswer } from './verify.ts'

export interface ProseOptions {
  /** `passages[i]` is the passage that the reply calls `[i + 1]`. */
  passages: readonly Passage[]
  /** Makes Markdown of the reply safe. */
  clean?: (markdown: string) => string
  /** Texts other than passages that may support the reply: the question, results of calculations. */
  otherSources?: readonly string[]
  /** Figures that tools calculated from passages. These passages may be cited for the figures although they do not state them. */
  calculations?: readonly Calculation[]
}

export interface ProseVerification {
  /** Whether the reply begins with the part that was verified before. A reply that does not needs a new verification. */
  continues(reply: string): boolean
  /** The verified beginning of an unfinished reply. It only grows. */
  advance(reply: string): { text: string; citationCount: number }
  /** The answer of a complete reply. It begins with the text that `advance` returned. */
  finish(reply: string): Verified
}

// In UTF-16 units. A longer block is verified only at its end, because each new sentence repeats the check of the whole block.
const MAX_OPEN_BLOCK = 4_000

/** A verified part of the answer, and the passages that the answer cites up to its end. */
interface Part {
  text: string
  cited: readonly Passage[]
  leftOut: number
}

const EMPTY: Part = { text: '', cited: [], leftOut: 0 }

export function verifyProse(reply: string, options: ProseOptions): Verified {
  return openProseVerification(options).finish(reply)
}

export function openProseVerification(options: ProseOptions): ProseVerification {
  const { passages, clean = (markdown) => markdown, otherSources = [], calculations = [] } = options
  let grounds: Grounds | undefined
  const groundsFor = (reply: string): Grounds => {
    grounds ??= openGrounds(reply, { passages, otherSources, calculations })
    return grounds
  }
  // The complete blocks of the reply, and their verified text.
  let closedReply = ''
  let closed: Part = EMPTY
  // The complete sentences of the unfinished block, and their verified text.
  let openReply = ''
  let open: Part = EMPTY

  const closeBlock = (block: string, reply: string): void => {
    const whole = verifiedBlock(clean(block), closed.cited, groundsFor(reply), false)
    const part = whole.text.startsWith(open.text) ? whole : withRest(block, reply)
    closed = { ...part, text: joinBlocks(closed.text, part.text), leftOut: closed.leftOut + part.leftOut }
    openReply = ''
    open = EMPTY
  }
  /** If the whole block gives another text than was shown, the shown part stays and only the rest of the block is verified. */
  const withRest = (block: string, reply: string): Part => {
    const restReply = block.slice(openReply.length)
    const rest = verifiedBlock(clean(restReply), open.cited, groundsFor(reply), false)
    const gap = rest.text === '' ? '' : /^\s*\n/.test(restReply) ? '\n' : ' '
    return { ...rest, text: `${open.text}${gap}${rest.text}`, leftOut: open.leftOut + rest.leftOut }
  }
  const closeBlocks = (reply: string): void => {
    for (let end = nextBlock(reply, closedReply.length); end !== undefined; ) {
      closeBlock(reply.slice(closedReply.length, end), reply)
      closedReply = reply.slice(0, end)
      end = nextBlock(reply, end)
    }
  }
  const extendOpenBlock = (reply: string): void => {
    const block = reply.slice(closedReply.length)
    if (block.length > MAX_OPEN_BLOCK) return
    const beginning = block.slice(0, endOfWholeSentences(block))
    if (beginning.length <= openReply.length) return
    const part = verifiedBlock(clean(beginning), closed.cited, groundsFor(reply), true)
    if (!part.text.startsWith(open.text)) return
    openReply = beginning
    open = part
  }
  return {
    continues: (reply) => normalised(reply).startsWith(closedReply + openReply),
    advance: (reply) => {
      closeBlocks(normalised(reply))
      extendOpenBlock(normalised(reply))
      const text = joinBlocks(closed.text, open.text)
      return { text, citationCount: open.text ? open.cited.length : closed.cited.length }
    },
    finish: (reply) => {
      const wholeReply = normalised(reply)
      closeBlocks(wholeReply)
      closeBlock(wholeReply.slice(closedReply.length), wholeReply)
      const draft: Draft = { ...newDraft(closed.text, closed.cited), cited: [...closed.cited] }
      const { checker } = groundsFor(wholeReply)
      const answer = repairedDraft(draft, checker)
      // An answer that never becomes stable is refused as a whole. No such case is known.
      return answer
        ? verifiedAnswer(answer, checker, closed.leftOut)
        : { answer: '', citations: [], stored: [], unsupported: closed.leftOut + 1 }
    },
  }
}

/** The text with one kind of line break and without spaces at its beginning. */
const normalised = (text: string): string => text.replace(/\r\n?/g, '\n').trimStart()

const joinBlocks = (before: string, after: string): string => [before, after].filter(Boolean).join('\n\n')

function openGrounds(
  reply: string,
  { passages, otherSources, calculations }: Required<Omit<ProseOptions, 'clean'>>,
): Grounds {
  const language = languageOf(reply, otherSources)
  return { passages, checker: supportChecker(language, calculations), otherSources, language }
}

/** The language of the question and the first sentence, so that it does not change while the reply is written. */
const languageOf = (reply: string, [question = '']: readonly string[]): Language =>
  guessLanguage(`${question}\n${sentences(reply)[0]?.text ?? ''}`)

/** Verifies one block. New passages get numbers after those of earlier blocks. */
function verifiedBlock(
  markdown: string,
  citedBefore: readonly Passage[],
  grounds: Grounds,
  isOpen: boolean,
): Part {
  const { checker, passages } = grounds
  let draft = repairedDraft(newDraft(markdown, passages), checker)
  let leftOut = 0
  for (let round = 0; draft && round < MAX_ROUNDS; round++) {
    const { text } = draft
    const checked = checkStatements(draft, grounds)
    const { undecidedFrom } = checked
    if (isOpen && undecidedFrom !== undefined) {
      // A later citation may cover the statement, so only the text before it is shown.
      draft = repairedDraft(beforeStatement(draft, undecidedFrom), checker)
      continue
    }
    leftOut += checked.leftOut
    draft = repairedDraft(checked.draft, checker)
    if (draft?.text === text) return { ...numberedAfter(draft, citedBefore), leftOut }
  }
  return { text: '', cited: citedBefore, leftOut: leftOut + 1 }
}

/** The draft before an offset, without an unfinished list marker at its end. */
const beforeStatement = (draft: Draft, at: number): Draft => ({
  ...draft,
  text: draft.text
    .slice(0, at)
    .replace(/(?:^|\n)[ \t]*(?:[-*+>]|\d{1,9}[.)])?[ \t]*$/, '')
    .trim(),
})

function numberedAfter({ text, cited }: Draft, citedBefore: readonly Passage[]): Omit<Part, 'leftOut'> {
  const all = [...citedBefore, ...cited.filter((passage) => !citedBefore.includes(passage))]
  const numbers = cited.map((passage) => all.indexOf(passage) + 1)
  const numbered = findMarkers(text).reduceRight((result, { start, end, numbers: ownNumbers }) => {
    const markers = ownNumbers.map((number) => `[${numbers[number - 1]}]`).join('')
    return `${result.slice(0, start)}${markers}${result.slice(end)}`
  }, text)
  return { text: numbered, cited: all }
}

const MARKER_BEFORE_END = /[\]】］][\p{Sentence_Terminal}…]+["'”’»)*_]*\s*$/u
const MARKERS_BEHIND = /^\s*(?:[[【［][\d０-９\s,;&，、†–—-]{1,80}[\]】］]+[ \t]*)+/u
const MARKERS_AT_END = /(?:\s*[[【［][\d０-９\s,;&，、†–—-]{1,80}[\]】］]+)+\s*$/u
// Matches a first word of the next sentence that is complete. An incomplete word or a bracket may still belong to the sentence
// before.
const NEXT_SENTENCE = /^\s*[^\s[【［(\\][^\s]*\s/

/** The end of the last complete sentence with its markers. */
function endOfWholeSentences(block: string): number {
  const limit = fenceAtEnd(block) ?? block.length
  const ends = sentences(block).map(
    ({ end }) => end + (MARKERS_BEHIND.exec(block.slice(end))?.[0].trimEnd().length ?? 0),
  )
  const isWhole = (end: number): boolean =>
    end <= limit &&
    isBalanced(block.slice(0, end)) &&
    (MARKER_BEFORE_END.test(block.slice(0, end)) ||
      endsBehindMarker(block.slice(0, end)) ||
      NEXT_SENTENCE.test(block.slice(end)))
  return ends.findLast(isWhole) ?? 0
}

/**
 * Whether a text ends with a full stop and markers, such as "… in 2019. [1]", but not "approx. [1]". Such a sentence is shown
 * before the next word comes. A further marker of it is added later.
 */
function endsBehindMarker(text: string): boolean {
  const before = text.slice(0, MARKERS_AT_END.exec(text)?.index ?? 0)
  return (
    /[\p{Sentence_Terminal}…]["'”’»)*_]*$/u.test(before) &&
    sentences(`${before} A`).length > sentences(before).length
  )
}

/** Whether all emphasis, code, links and images of a text are closed at its end. */
const isBalanced = (text: string): boolean =>
  countOf(text, /\*\*/g) % 2 === 0 &&
  countOf(text, /`/g) % 2 === 0 &&
  countOf(text, /[[【［]/g) === countOf(text, /[\]】］]/g)

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
