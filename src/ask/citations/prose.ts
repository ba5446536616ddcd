// Verifies the prose of a model while it is written. Each sentence is checked against the passages when it ends. A sentence without
// support is left out. The answer consists of the verified sentences, so it begins with the text that was already shown.

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
  /** Texts other than passages that the reply may rest on: the question, results of calculations. */
  otherSources?: readonly string[]
  /** Figures that tools calculated from passages. These passages may be cited for the figures although they do not state them. */
  calculations?: readonly Calculation[]
}

export interface ProseVerification {
  /** Whether the reply goes on where the verified part of an earlier one ended. Another reply needs another verification. */
  continues(reply: string): boolean
  /** The verified beginning of a reply of which this much has come. It only grows. */
  advance(reply: string): { text: string; citationCount: number }
  /** The answer to a whole reply. It begins with what `advance` returned. */
  finish(reply: string): Verified
}

// In UTF-16 units. A longer block is verified only at its end, because each further sentence repeats the check of all earlier ones.
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
  // The part of the reply whose blocks have ended, and what became of it.
  let closedReply = ''
  let closed: Part = EMPTY
  // The verified beginning of the block that is written, and what became of it.
  let openReply = ''
  let open: Part = EMPTY

  const closeBlock = (block: string, reply: string): void => {
    const whole = verifiedBlock(clean(block), closed.cited, groundsFor(reply), false)
    const part = whole.text.startsWith(open.text) ? whole : withRest(block, reply)
    closed = { ...part, text: joined(closed.text, part.text), leftOut: closed.leftOut + part.leftOut }
    openReply = ''
    open = EMPTY
  }
  /** The part of a block that was shown stays, although the whole block gives another text. The rest is verified alone. */
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
    continues: (reply) => lines(reply).startsWith(closedReply + openReply),
    advance: (reply) => {
      closeBlocks(lines(reply))
      extendOpenBlock(lines(reply))
      const text = joined(closed.text, open.text)
      return { text, citationCount: open.text ? open.cited.length : closed.cited.length }
    },
    finish: (reply) => {
      const wholeReply = lines(reply)
      closeBlocks(wholeReply)
      closeBlock(wholeReply.slice(closedReply.length), wholeReply)
      const draft: Draft = { ...newDraft(closed.text, closed.cited), cited: [...closed.cited] }
      const { checker } = groundsFor(wholeReply)
      const answer = repairedDraft(draft, checker)
      // Blocks that become something else beside each other are left out: no case is known.
      return answer
        ? verifiedAnswer(answer, checker, closed.leftOut)
        : { answer: '', citations: [], stored: [], unsupported: closed.leftOut + 1 }
    },
  }
}

const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trimStart()

const joined = (before: string, after: string): string => [before, after].filter(Boolean).join('\n\n')

function openGrounds(
  reply: string,
  { passages, otherSources, calculations }: Required<Omit<ProseOptions, 'clean'>>,
): Grounds {
  const language = languageOf(reply, otherSources)
  return { passages, checker: supportChecker(language, calculations), otherSources, language }
}

/** The language of the question and the first sentence. It does not depend on how much of the reply has come. */
const languageOf = (reply: string, [question = '']: readonly string[]): Language =>
  guessLanguage(`${question}\n${sentences(reply)[0]?.text ?? ''}`)

/** Verifies one block. Its markers are numbered after the passages that earlier blocks cite. */
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
// A character that may begin a marker, and a first word that is not whole, may still belong to the sentence before.
const NEXT_SENTENCE = /^\s*[^\s[【［(\\][^\s]*\s/

/** The end of the last sentence that is certainly complete, including its markers. */
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
 * Whether a text ends with a full stop and markers, as "… in 2019. [1]" does. Another marker may still follow, and is then shown
 * behind this one; a reader does not wait for the next word of a model that pauses. "approx. [1]" is no end.
 */
function endsBehindMarker(text: string): boolean {
  const before = text.slice(0, MARKERS_AT_END.exec(text)?.index ?? 0)
  return (
    /[\p{Sentence_Terminal}…]["'”’»)*_]*$/u.test(before) &&
    sentences(`${before} A`).length > sentences(before).length
  )
}

/** Whether no emphasis, code, link or picture is open at the end. */
const isBalanced = (text: string): boolean =>
  countOf(text, /\*\*/g) % 2 === 0 &&
  countOf(text, /`/g) % 2 === 0 &&
  countOf(text, /[[【［]/g) === countOf(text, /[\]】］]/g)

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
