// Parses JSON without changing its values. JSON.parse would turn 1729382256910270463 into 1729382256910270500, 1.10 into 1.1 and
// 1e400 into null, and lose one of two fields with the same name.

import { visit } from 'jsonc-parser'
import { UnreadableFile } from '../../block.ts'

/** A string, an array or an object. A number, true and false are strings with their source text, and null is ''. */
export type Value = string | Value[] | Fields

/** The fields of an object in order. Several may have the same name. */
export interface Fields {
  readonly names: readonly string[]
  readonly values: readonly Value[]
}

interface OpenContainer {
  /** The names of an object's fields; undefined for an array. */
  names: string[] | undefined
  firstChildIndex: number
}

// A few thousand levels would overflow the stack, because the parser is recursive.
const MAX_DEPTH = 100
const NO_NAMES: readonly string[] = []

export const isFields = (value: Value): value is Fields => typeof value !== 'string' && !Array.isArray(value)

/** @throws SyntaxError if the text is not JSON, UnreadableFile if it is nested too deeply */
export function parseValue(text: string): Value {
  // The children of all open objects and arrays are collected in one array. When an object or array closes, its children are
  // removed from the end. One array for each would waste memory, because an array that grows by `push` reserves space for sixteen
  // more elements. A file may have eight million small records.
  const values: Value[] = []
  const openContainers: OpenContainer[] = []
  const lastNamesByDepth: (readonly string[])[] = []
  const begin = (names?: string[]): void => {
    if (openContainers.push({ names, firstChildIndex: values.length }) > MAX_DEPTH)
      throw new UnreadableFile('damaged', 'the JSON is nested too deeply')
  }
  const end = (): void => {
    const { names, firstChildIndex } = openContainers.pop() ?? { names: undefined, firstChildIndex: 0 }
    const children = values.splice(firstChildIndex)
    if (names === undefined) values.push(children)
    else {
      // Consecutive records share their array of names.
      const previousNames = lastNamesByDepth[openContainers.length] ?? NO_NAMES
      const isSame =
        previousNames.length === names.length && previousNames.every((name, i) => name === names[i])
      if (!isSame) lastNamesByDepth[openContainers.length] = names.slice()
      values.push({ names: lastNamesByDepth[openContainers.length] ?? NO_NAMES, values: children })
    }
  }
  visit(
    text,
    {
      onObjectBegin: () => begin([]),
      onObjectProperty: (name) => void openContainers.at(-1)?.names?.push(name),
      onObjectEnd: end,
      onArrayBegin: () => begin(),
      onArrayEnd: end,
      onLiteralValue: (value: unknown, offset, length) =>
        void values.push(
          typeof value === 'string' ? value : value === null ? '' : text.slice(offset, offset + length),
        ),
      onError: (_code, offset) => {
        throw new SyntaxError(`invalid JSON at character ${offset}`)
      },
    },
    { disallowComments: true },
  )
  return values[0] ?? ''
}
