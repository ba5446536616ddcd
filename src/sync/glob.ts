// Patterns of paths (`docs/**/*.{md,txt}`), matched in time linear in the path: somebody else may have written pattern and path,
// and a backtracking matcher takes hours for `+(*)+(*)b`. A pattern becomes an automaton whose states are followed side by side.

import { SyncFailed } from './failure.ts'

/** What a state takes: a character, a class of characters, or nothing (`next` is followed at once). */
interface State {
  takes: ((character: string) => boolean) | undefined
  next: number[]
}

interface Automaton {
  states: State[]
  start: number
  end: number
}

/** A part of the automaton: where it begins, and the states that lead out of it. */
interface Part {
  first: number
  last: number
}

const isInStep = (character: string): boolean => character !== '/'
const isAny = (): boolean => true

/**
 * Whether a path matches: `*` and `?` stay within a folder, `**` as a whole step crosses folders, `[a-z]`, `[!a-z]`, `{a,b}`, and a
 * backslash before a character that stands for itself.
 * @throws SyncFailed for what is not supported, as `requirePattern`
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  requirePattern(pattern)
  const automaton = compile(pattern)
  return (path) => matches(automaton, path)
}

/** @throws SyncFailed with a sentence that says what the pattern cannot hold */
export function requirePattern(pattern: string): void {
  const problem = problemOf(pattern)
  if (problem !== undefined) throw new SyncFailed(`The pattern ${pattern} cannot be used: ${problem}`)
}

/** Why a pattern is refused, for people; undefined for one that can be used. */
export function problemOf(pattern: string): string | undefined {
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[[!^]?\]?[^\]]*\]/g, 'x')
  const [extended] = /[!?*+@]\(/.exec(plain) ?? []
  if (extended)
    return `"${extended}" is not supported. Write the cases as {a,b}, or "\\(" for a bracket in a name.`
  if (/^!/.test(plain)) return 'it begins with "!". Name what is to be left out as a pattern to exclude.'
  if (/\{[^{},]*\.\.[^{},]*\}/.test(plain)) return 'ranges such as {1..9} are not supported. Write [1-9].'
  return pattern.includes('[[:') ? 'classes such as [[:alpha:]] are not supported. Write [a-z].' : undefined
}

/** A place of this machine as the folder before the first step with a pattern, and the rest; no `glob`: it holds no pattern. */
export function splitGlob(place: string): { base: string; glob: string | undefined } {
  const steps = place.split('/')
  const at = steps.findIndex((step) => /[*?[{]|[!+@]\(/.test(step.replace(/\\./gs, '')))
  if (at < 0) return { base: place, glob: undefined }
  const base = steps.slice(0, at).join('/')
  return { base: base === '' && at > 0 ? '/' : base, glob: steps.slice(at).join('/') }
}

function compile(pattern: string): Automaton {
  const states: State[] = []
  const characters = [...pattern]
  const structure = choicesIn(characters)
  let at = 0

  const add = (takes?: State['takes']): number => states.push({ takes, next: [] }) - 1
  const link = (from: number, to: number): void => void states[from]?.next.push(to)
  /** A state that takes a character, and one behind it. */
  const one = (takes: (character: string) => boolean): Part => {
    const [first, last] = [add(takes), add()]
    link(first, last)
    return { first, last }
  }
  const literal = (character: string): Part => one((other) => other === character)
  const many = (takes: (character: string) => boolean): Part => {
    const [first, taking] = [add(), add(takes)]
    link(first, taking)
    link(taking, first)
    return { first, last: first }
  }
  const chain = (...parts: Part[]): Part => {
    const first = add()
    let last = first
    for (const part of parts) {
      link(last, part.first)
      last = part.last
    }
    return { first, last }
  }
  const anyOf = (parts: readonly Part[]): Part => {
    const [first, last] = [add(), add()]
    for (const part of parts) {
      link(first, part.first)
      link(part.last, last)
    }
    return { first, last }
  }
  const optional = (part: Part): Part => anyOf([part, chain()])

  /** `**` as a whole step. */
  const isDeep = (from: number): boolean =>
    characters[from] === '*' &&
    characters[from + 1] === '*' &&
    (from + 2 >= characters.length || characters[from + 2] === '/' || isCaseEnd(from + 2))
  const isCaseEnd = (place: number): boolean => structure.has(place) && characters[place] !== '{'

  const sequence = (): Part => {
    const parts: Part[] = []
    let isStepStart = true
    while (at < characters.length && !isCaseEnd(at)) {
      const character = characters[at] ?? ''
      const starts = isStepStart
      isStepStart = character === '/'
      if (starts && isDeep(at)) {
        const isLast = characters[at + 2] !== '/'
        parts.push(isLast ? many(isAny) : optional(chain(many(isAny), literal('/'))))
        at += isLast ? 2 : 3
        isStepStart = !isLast
      } else if (character === '/' && isDeep(at + 1) && characters[at + 3] !== '/') {
        // What is named, and everything below it.
        parts.push(optional(chain(literal('/'), many(isAny))))
        at += 3
      } else parts.push(single(character))
    }
    return chain(...parts)
  }
  const single = (character: string): Part => {
    at++
    if (character === '\\') return literal(characters[at++] ?? '\\')
    if (character === '?') return one(isInStep)
    if (character === '[') return classOf() ?? literal('[')
    if (character === '{' && structure.has(at - 1)) return choice()
    if (character !== '*') return literal(character)
    while (characters[at] === '*') at++
    return many(isInStep)
  }
  /** From behind `[`. Undefined where it is not closed: then it stands for itself. */
  const classOf = (): Part | undefined => {
    const to = classEnd(characters, at - 1)
    if (to === undefined) return undefined
    const isNegated = characters[at] === '!' || characters[at] === '^'
    const ranges = rangesOf(characters.slice(at + (isNegated ? 1 : 0), to))
    at = to + 1
    return one(
      (character) =>
        character !== '/' &&
        ranges.some(([low, high]) => low <= character && character <= high) !== isNegated,
    )
  }
  /** From behind `{`. */
  const choice = (): Part => {
    const cases = [sequence()]
    while (characters[at++] === ',') cases.push(sequence())
    return anyOf(cases)
  }
  const { first, last } = sequence()
  return { states, start: first, end: last }
}

/** Where a class that opens here closes. A bracket that comes first is one of its characters. */
function classEnd(characters: readonly string[], open: number): number | undefined {
  const isNegated = characters[open + 1] === '!' || characters[open + 1] === '^'
  const end = characters.indexOf(']', open + (isNegated ? 3 : 2))
  return end < 0 ? undefined : end
}

/** Which brackets and commas make choices: those of `{a,b}`. Without a comma, or not closed, they stand for themselves. */
function choicesIn(characters: readonly string[]): ReadonlySet<number> {
  const structure = new Set<number>()
  const open: { at: number; commas: number[] }[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]
    if (character === '\\') at++
    else if (character === '[') at = classEnd(characters, at) ?? at
    else if (character === '{') open.push({ at, commas: [] })
    else if (character === ',') open.at(-1)?.commas.push(at)
    else if (character === '}') {
      const choice = open.pop()
      if (choice?.commas.length) for (const place of [choice.at, ...choice.commas, at]) structure.add(place)
    }
  }
  return structure
}

function rangesOf(characters: readonly string[]): [low: string, high: string][] {
  const ranges: [string, string][] = []
  for (let no = 0; no < characters.length; no++) {
    const low = (characters[no] === '\\' ? characters[++no] : characters[no]) ?? '\\'
    const isRange = characters[no + 1] === '-' && no + 2 < characters.length
    ranges.push([low, isRange ? (characters[no + 2] ?? low) : low])
    if (isRange) no += 2
  }
  return ranges
}

/** Each character looks at each state once at most. */
function matches({ states, start, end }: Automaton, path: string): boolean {
  const seenAt = new Int32Array(states.length).fill(-1)
  let step = 0
  const follow = (from: readonly number[], into: number[]): void => {
    const open = [...from]
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seenAt[state] === step) continue
      seenAt[state] = step
      into.push(state)
      const { takes, next = [] } = states[state] ?? {}
      if (!takes) open.push(...next)
    }
  }
  let active: number[] = []
  follow([start], active)
  for (const character of path) {
    step++
    const after: number[] = []
    for (const state of active) {
      const { takes, next = [] } = states[state] ?? {}
      if (takes?.(character)) follow(next, after)
    }
    if (after.length === 0) return false
    active = after
  }
  return active.includes(end)
}
