// The words of one line of a formula, spelled by the runs of its fonts: the signs, indices and exponents with their letters,
// and gaps
// that are no spaces.

import type { WordBox } from '@llamaindex/liteparse'
import { raised } from '../../blocks/raised.ts'
import {
  inOrder,
  KERN,
  type Level,
  markLevel,
  ownLevel,
  type PlacedWord,
  type Run,
  runLevel,
  TOUCHING,
  withoutEnd,
} from './lines.ts'
import { isMathFont, withNegated } from './signs.ts'

interface Pieces {
  words: readonly PlacedWord[]
  runs: readonly Run[]
}

interface Sign {
  text: string
  /** As in its run: a subscript digit as such. */
  own: string
  run: Run
  /** The index of its word. */
  word: number
  /** Its position among the row's signs. */
  at: number
  /** Whether the run has a space before it. */
  spaced: boolean
}

// Most letters need no folding: folding each of them took two thirds of a page's time.
const PLAIN = /^[a-z\d()[\]{},.;:=+|<>/A-Z]$/

/**
 * A letter in the form that both libraries share: without accent, with plain quotes and dashes, ligatures and marks as
 * letters.
 */
const fold = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/[\s\p{M}˘ˇ´`¨ˆ¸]/gu, '')
        .replace(/[’‘]/g, "'")
        .replace(/[“”]/g, '"')
        .replace(/[–—−‐]/g, '-')
        .replace(/\u21b5/g, 'ff')

/** The row's words spelled, with indices in their words; undefined if the runs have other letters. */
export function spellRow({ words: whole, runs }: Pieces): PlacedWord[] | undefined {
  const size = Math.max(...runs.map((run) => run.size))
  const baseline = runs.find((run) => run.size === size)?.baseline ?? 0
  const words = whole.flatMap((word) => withoutEnd(word, runs, size, baseline))
  const ordered = inOrder(words, (word) => markLevel(word, size, baseline), size)
  const own = inOrder(runs, (run) => runLevel(run, size, baseline), size)
  const signs = align(ordered, signsOf(own))
  const levelOf = ({ own: text, run, word }: Sign): Level => {
    const level = ordered[word] === undefined ? 'base' : markLevel(ordered[word], size, baseline)
    if (level !== 'base' || PLAIN.test(text)) return level === 'base' ? runLevel(run, size, baseline) : level
    return ownLevel(text, runLevel(run, size, baseline))
  }
  const levelled = signs?.map((sign) => ({ ...sign, level: levelOf(sign) }))
  return levelled && joinTorn(attached(ordered, levelled, size), size)
}

type Levelled = Sign & { level: Level }
interface Spelled {
  word: PlacedWord
  signs: Levelled[]
}

/** The words with their signs. A word of marks only becomes part of the word it touches. */
function attached(words: readonly PlacedWord[], signs: readonly Levelled[], size: number): Spelled[] {
  const spelled: Spelled[] = []
  const owned = words.map((): Levelled[] => [])
  for (const sign of signs) owned[sign.word]?.push(sign)
  for (const [i, word] of words.entries()) {
    const own = owned[i] ?? []
    const last = spelled.at(-1)
    if (
      last === undefined ||
      own.some(({ level }) => level === 'base') ||
      gapOf(last.word, word) > size * TOUCHING
    ) {
      spelled.push({ word, signs: own })
      continue
    }
    const right = Math.max(last.word.x + last.word.width, word.x + word.width)
    last.word = { ...last.word, width: right - last.word.x, grown: true }
    last.signs = [...last.signs, ...own].sort((a, b) => a.at - b.at)
  }
  return spelled
}

const gapOf = (left: WordBox, right: WordBox): number => right.x - left.x - left.width

/** Joins words that a kern split: the run has no space there, and the letters nearly touch. */
function joinTorn(words: readonly Spelled[], size: number): PlacedWord[] {
  const joined: Spelled[] = []
  for (const next of words) {
    const last = joined.at(-1)
    if (last === undefined || !isTorn(last, next, size)) {
      joined.push({ ...next })
      continue
    }
    last.word = { ...last.word, width: next.word.x + next.word.width - last.word.x }
    last.signs = [...last.signs, ...next.signs]
  }
  return joined.map(({ word, signs }) => ({ ...word, text: withNegated(textOf(signs)) }))
}

function isTorn(left: Spelled, right: Spelled, size: number): boolean {
  const [end, start] = [left.signs.at(-1), right.signs[0]]
  return (
    left.word.item === right.word.item &&
    end !== undefined &&
    start?.run === end.run &&
    !start.spaced &&
    /\p{L}/u.test(end.text) &&
    /\p{L}/u.test(start.text) &&
    gapOf(left.word, right.word) < size * KERN
  )
}

/** The signs as text. Of marks at one place the lower ones come first. Digits of marks are not appended to a number. */
function textOf(signs: readonly Levelled[]): string {
  let text = ''
  for (let i = 0; i < signs.length; ) {
    const sign = signs[i]
    if (sign?.level === 'base') {
      text += sign.text
      i++
      continue
    }
    const next = signs.findIndex(({ level }, k) => k > i && level === 'base')
    const marks = signs.slice(i, next < 0 ? signs.length : next)
    const of = (level: Level): string => plain(marks.filter((mark) => mark.level === level))
    const base = signs[i - 1]
    const lowered = of('lowered')
    text +=
      /\d$/.test(text) && /^\d+$/.test(lowered)
        ? [...lowered].map((digit) => SUBSCRIPTS[Number(digit)]).join('')
        : lowered
    text +=
      base !== undefined && (isMathFont(base.run.font) || lowered !== '')
        ? exponent(text, of('raised'))
        : of('raised')
    i += marks.length
  }
  return text
}

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

/** Marks as text; they may have marks themselves. */
function plain(signs: readonly Levelled[]): string {
  const size = Math.max(...signs.map(({ run }) => run.size))
  const baseline = signs.find(({ run }) => run.size === size)?.run.baseline ?? 0
  const levelled = signs.map((sign) => ({
    ...sign,
    level: ownLevel(sign.own, runLevel(sign.run, size, baseline)),
  }))
  return levelled.some(({ level }) => level !== 'base') && levelled[0]?.level === 'base'
    ? textOf(levelled)
    : signs.map(({ text }) => text.normalize('NFKC')).join('')
}

/** A formula has no marks of notes. */
const exponent = (before: string, text: string): string => {
  const spelled = raised(before, text)
  return spelled.startsWith('[') ? text : spelled
}

function signsOf(runs: readonly Run[]): Sign[] {
  return runs.flatMap((run) => {
    const signs: Sign[] = []
    let spaced = true
    for (const text of run.text.normalize('NFC')) {
      if (text.trim() === '') {
        spaced = true
        continue
      }
      signs.push({ text, own: text, run, word: -1, at: 0, spaced })
      spaced = false
    }
    return signs
  })
}

interface Letter {
  letter: string
  word: number
  /** As in liteparse, if it is one letter. */
  raw?: string
}

interface Other {
  letter: string
  /** The index of its sign. */
  i: number
  font: string
}

const isSign = ({ letter, font }: Other): boolean => isMathFont(font) && !/[\p{L}\p{N}]/u.test(letter)

/** Each sign with its word, matched letter by letter. Only signs of formulas may differ; undefined if other letters do. */
function align(words: readonly PlacedWord[], signs: readonly Sign[]): Sign[] | undefined {
  const letters: Letter[] = []
  words.forEach(({ text }, word) => {
    for (const raw of text) {
      const own = fold(raw)
      if (own.length === 1) letters.push({ letter: own, word, raw })
      else for (const letter of own) letters.push({ letter, word })
    }
  })
  const others: Other[] = []
  signs.forEach(({ own, run }, i) => {
    for (const letter of fold(own)) others.push({ letter, i, font: run.font })
  })
  if (letters.length !== others.length) return undefined
  const placed = signs.map((sign, at) => ({ ...sign, at }))
  for (const [row, column] of pairs(letters, others)) {
    const [letter, other] = [letters[row], others[column]]
    const sign = placed[other?.i ?? -1]
    if (letter === undefined || other === undefined || sign === undefined) return undefined
    const same = letter.letter === other.letter
    if (!same && !(isSign(other) && CODE.test(letter.letter))) return undefined
    sign.word = letter.word
    // Within one word liteparse's order is right.
    if (row !== column && letters[column]?.word === letter.word) sign.at = others[row]?.i ?? sign.at
    if (same && letter.raw !== undefined && isPlain(sign.own)) sign.text = letter.raw
  }
  return placed.sort((a, b) => a.at - b.at)
}

// What liteparse may read for the code of a sign.
const CODE = /[\p{L}\p{N}\p{C}@#$%&*?!"']/u

/** A letter with an accent stays as in its run: liteparse gives the accent separately. */
const isPlain = (text: string): boolean => PLAIN.test(text) || text.normalize('NFD').length === 1

/** The pairs of matching letters: two marks above each other may come in either order. */
function pairs(letters: readonly Letter[], others: readonly Other[]): [number, number][] {
  const found: [number, number][] = []
  for (let i = 0; i < letters.length; i++) {
    const [a, b] = [letters[i]?.letter, letters[i + 1]?.letter]
    const [c, d] = [others[i]?.letter, others[i + 1]]
    if (a !== c && b === c && b !== d?.letter && d !== undefined && (a === d.letter || isSign(d))) {
      found.push([i + 1, i], [i, i + 1])
      i++
    } else found.push([i, i])
  }
  return found
}
