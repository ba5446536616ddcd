// Matches paths with patterns (`docs/**/*.{md,txt}`) in time that is linear in the path. Strangers may have written pattern and path,
// and a matcher with backtracking takes hours for `+(*)+(*)b`. A pattern becomes an automaton whose active states all advance
// together.

import { SyncFailed } from './failure.ts'

/** A state accepts a character or a class of characters. Without `accepts`, its next states are active at once. */
interface State {
  accepts: ((character: string) => boolean) | undefined
  next: number[]
}

interface Automaton {
  states: State[]
  start: number
  end: number
}

/** A part of the automaton: its first and its last state. */
interface Part {
  entry: number
  exit: number
}

const isNoSlash = (character: string): boolean => character !== '/'
const isAny = (): boolean => true

/**
 * Whether a path matches. `*` and `?` match within a folder, `**` between slashes matches any number of folders. Also `[a-z]`,
 * `[!a-z]`, `{a,b}`, and a backslash before a character that is meant literally.
 * @throws SyncFailed for what is not supported, as `requirePattern`
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  requirePattern(pattern)
  const automaton = compile(pattern)
  return (path) => matches(automaton, path)
}

/** @throws SyncFailed with a sentence that says what the pattern must not contain */
export function requirePattern(pattern: string): void {
  const problem = problemOf(pattern)
  if (problem !== undefined) throw new SyncFailed(`The pattern ${pattern} cannot be used: ${problem}`)
}

/** A sentence that says why a pattern cannot be used. Undefined if it can. */
export function problemOf(pattern: string): string | undefined {
  const withoutEscapes = pattern.replace(/\\./gs, 'x').replace(/\[[!^]?\]?[^\]]*\]/g, 'x')
  const [extended] = /[!?*+@]\(/.exec(withoutEscapes) ?? []
  if (extended)
    return `"${extended}" is not supported. Write the cases as {a,b}, or "\\(" for a bracket in a name.`
  if (/^!/.test(withoutEscapes))
    return 'it begins with "!". Name what is to be left out as a pattern to exclude.'
  if (/\{[^{},]*\.\.[^{},]*\}/.test(withoutEscapes))
    return 'ranges such as {1..9} are not supported. Write [1-9].'
  return pattern.includes('[[:') ? 'classes such as [[:alpha:]] are not supported. Write [a-z].' : undefined
}

/** Splits a path into the folder before the first part with a pattern, and the rest. `glob` is undefined if there is no pattern. */
export function splitGlob(path: string): { base: string; glob: string | undefined } {
  const steps = path.split('/')
  const firstPatternStep = steps.findIndex((step) => /[*?[{]|[!+@]\(/.test(step.replace(/\\./gs, '')))
  if (firstPatternStep < 0) return { base: path, glob: undefined }
  const base = steps.slice(0, firstPatternStep).join('/')
  return {
    base: base === '' && firstPatternStep > 0 ? '/' : base,
    glob: steps.slice(firstPatternStep).join('/'),
  }
}

function compile(pattern: string): Automaton {
  const states: State[] = []
  const characters = [...pattern]
  const choiceMarks = choiceMarksOf(characters)
  let position = 0

  const add = (accepts?: State['accepts']): number => states.push({ accepts, next: [] }) - 1
  const link = (from: number, to: number): void => void states[from]?.next.push(to)
  /** A state that accepts one character, and the state after it. */
  const oneCharacter = (accepts: (character: string) => boolean): Part => {
    const [entryState, exitState] = [add(accepts), add()]
    link(entryState, exitState)
    return { entry: entryState, exit: exitState }
  }
  const literal = (character: string): Part => oneCharacter((other) => other === character)
  const zeroOrMore = (accepts: (character: string) => boolean): Part => {
    const [entryState, repeatingState] = [add(), add(accepts)]
    link(entryState, repeatingState)
    link(repeatingState, entryState)
    return { entry: entryState, exit: entryState }
  }
  const concatenate = (...parts: Part[]): Part => {
    const entryState = add()
    let exitState = entryState
    for (const part of parts) {
      link(exitState, part.entry)
      exitState = part.exit
    }
    return { entry: entryState, exit: exitState }
  }
  const anyOf = (parts: readonly Part[]): Part => {
    const [entryState, exitState] = [add(), add()]
    for (const part of parts) {
      link(entryState, part.entry)
      link(part.exit, exitState)
    }
    return { entry: entryState, exit: exitState }
  }
  const optional = (part: Part): Part => anyOf([part, concatenate()])

  const isStepEnd = (index: number): boolean =>
    index >= characters.length || characters[index] === '/' || isCaseEnd(index)
  /** `**` up to the end of a step. */
  const isDoubleStar = (from: number): boolean =>
    characters[from] === '*' && characters[from + 1] === '*' && isStepEnd(from + 2)
  /** The comma or bracket that ends a case of a choice such as `{a,b}`. */
  const isCaseEnd = (index: number): boolean => choiceMarks.has(index) && characters[index] !== '{'

  const parseSequence = (): Part => {
    const parts: Part[] = []
    let isStepStart = true
    while (position < characters.length && !isCaseEnd(position)) {
      const character = characters[position] ?? ''
      const isAtStepStart = isStepStart
      isStepStart = character === '/'
      if (isAtStepStart && isDoubleStar(position)) {
        const isLast = characters[position + 2] !== '/'
        parts.push(isLast ? zeroOrMore(isAny) : optional(concatenate(zeroOrMore(isAny), literal('/'))))
        position += isLast ? 2 : 3
        isStepStart = !isLast
      } else if (character === '/' && isDoubleStar(position + 1) && characters[position + 3] !== '/') {
        // `docs/**` matches the folder docs itself and everything in it.
        parts.push(optional(concatenate(literal('/'), zeroOrMore(isAny))))
        position += 3
      } else parts.push(parseCharacter(character))
    }
    return concatenate(...parts)
  }
  const parseCharacter = (character: string): Part => {
    position++
    if (character === '\\') return literal(characters[position++] ?? '\\')
    if (character === '?') return oneCharacter(isNoSlash)
    if (character === '[') return parseClass() ?? literal('[')
    if (character === '{' && choiceMarks.has(position - 1)) return parseChoice()
    if (character !== '*') return literal(character)
    while (characters[position] === '*') position++
    return zeroOrMore(isNoSlash)
  }
  /** Parses a class after its `[`. Undefined if it is not closed; the bracket is then a literal. */
  const parseClass = (): Part | undefined => {
    const end = classEnd(characters, position - 1)
    if (end === undefined) return undefined
    const isNegated = characters[position] === '!' || characters[position] === '^'
    const ranges = rangesOf(characters.slice(position + (isNegated ? 1 : 0), end))
    position = end + 1
    return oneCharacter(
      (character) =>
        character !== '/' &&
        ranges.some(([low, high]) => low <= character && character <= high) !== isNegated,
    )
  }
  /** Parses a choice after its `{`. */
  const parseChoice = (): Part => {
    const cases = [parseSequence()]
    while (characters[position++] === ',') cases.push(parseSequence())
    return anyOf(cases)
  }
  const { entry, exit } = parseSequence()
  return { states, start: entry, end: exit }
}

/** The position of the bracket that closes a class. A bracket directly at the beginning is one of its characters. */
function classEnd(characters: readonly string[], start: number): number | undefined {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^'
  const end = characters.indexOf(']', start + (isNegated ? 3 : 2))
  return end < 0 ? undefined : end
}

/** The positions of the brackets and commas of choices such as `{a,b}`. Brackets without a comma or without an end are literals. */
function choiceMarksOf(characters: readonly string[]): ReadonlySet<number> {
  const choiceMarks = new Set<number>()
  const openChoices: { start: number; commas: number[] }[] = []
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index]
    if (character === '\\') index++
    else if (character === '[') index = classEnd(characters, index) ?? index
    else if (character === '{') openChoices.push({ start: index, commas: [] })
    else if (character === ',') openChoices.at(-1)?.commas.push(index)
    else if (character === '}') {
      const choice = openChoices.pop()
      if (choice?.commas.length)
        for (const mark of [choice.start, ...choice.commas, index]) choiceMarks.add(mark)
    }
  }
  return choiceMarks
}

function rangesOf(characters: readonly string[]): [low: string, high: string][] {
  const ranges: [string, string][] = []
  for (let index = 0; index < characters.length; index++) {
    const lowest = (characters[index] === '\\' ? characters[++index] : characters[index]) ?? '\\'
    const isRange = characters[index + 1] === '-' && index + 2 < characters.length
    ranges.push([lowest, isRange ? (characters[index + 2] ?? lowest) : lowest])
    if (isRange) index += 2
  }
  return ranges
}

/** Whether the automaton accepts the path. For each character, each state is visited at most once. */
function matches({ states, start, end }: Automaton, path: string): boolean {
  const visitedAtStep = new Int32Array(states.length).fill(-1)
  let step = 0
  const addStates = (from: readonly number[], activeStates: number[]): void => {
    const stack = [...from]
    for (let state = stack.pop(); state !== undefined; state = stack.pop()) {
      if (visitedAtStep[state] === step) continue
      visitedAtStep[state] = step
      activeStates.push(state)
      const { accepts, next = [] } = states[state] ?? {}
      if (!accepts) stack.push(...next)
    }
  }
  let activeStates: number[] = []
  addStates([start], activeStates)
  for (const character of path) {
    step++
    const nextStates: number[] = []
    for (const state of activeStates) {
      const { accepts, next = [] } = states[state] ?? {}
      if (accepts?.(character)) addStates(next, nextStates)
    }
    if (nextStates.length === 0) return false
    activeStates = nextStates
  }
  return activeStates.includes(end)
}
