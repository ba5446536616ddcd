// A JSON text as it is written: JSON.parse makes 1729382256910270500 of 1729382256910270463, 1.1 of 1.10, null of 1e400,
// and keeps one of two fields of the same name.

import { visit } from 'jsonc-parser'
import { UnreadableFile } from '../../block.ts'

/** A string's characters; the source text of a number, true or false; nothing for null. */
export type Value = string | Value[] | Fields

/** An object's fields in order; several may have the same name. */
export interface Fields {
  readonly names: readonly string[]
  readonly values: readonly Value[]
}

interface Open {
  /** Of an object, whose values follow them. */
  names: string[] | undefined
  from: number
}

// The parser descends with the text: a few thousand levels overflow the stack.
const MOST_DEPTH = 100
const NO_NAMES: readonly string[] = []

export const isFields = (value: Value): value is Fields => typeof value !== 'string' && !Array.isArray(value)

/** @throws SyntaxError for what is no JSON; UnreadableFile where it is nested too deeply */
export function parseValue(text: string): Value {
  // The values of all that is open in one array, from which what closes takes its own: arrays that grow one by one keep
  // room for sixteen more, eight million times in a file of small records.
  const values: Value[] = []
  const open: Open[] = []
  const last: (readonly string[])[] = []
  const begin = (names?: string[]): void => {
    if (open.push({ names, from: values.length }) > MOST_DEPTH)
      throw new UnreadableFile('damaged', 'nested too deeply')
  }
  const end = (): void => {
    const { names, from } = open.pop() ?? { names: undefined, from: 0 }
    const own = values.splice(from)
    if (names === undefined) values.push(own)
    else {
      // Records one behind the other share their names.
      const before = last[open.length] ?? NO_NAMES
      const same = before.length === names.length && before.every((name, i) => name === names[i])
      if (!same) last[open.length] = names.slice()
      values.push({ names: last[open.length] ?? NO_NAMES, values: own })
    }
  }
  visit(
    text,
    {
      onObjectBegin: () => begin([]),
      onObjectProperty: (name) => void open.at(-1)?.names?.push(name),
      onObjectEnd: end,
      onArrayBegin: () => begin(),
      onArrayEnd: end,
      onLiteralValue: (value: unknown, at, length) =>
        void values.push(
          typeof value === 'string' ? value : value === null ? '' : text.slice(at, at + length),
        ),
      onError: (_code, at) => {
        throw new SyntaxError(`no JSON at character ${at}`)
      },
    },
    { disallowComments: true },
  )
  return values[0] ?? ''
}
