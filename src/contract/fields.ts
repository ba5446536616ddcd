// Building blocks of the contract's schemas. Lengths of strings are counted in code points, as JSON Schema does: an emoji is one.

import { z } from 'zod'

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is what it is for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g

/** Makes text storable: lone surrogates become U+FFFD; NUL and control characters except tab and newlines are removed. */
export const cleanText = (text: string): string => text.toWellFormed().replace(CONTROL, '')

/** Length in code points, counted without copying. */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit < 0xdc00) {
      count--
      i++
    }
  }
  return count
}

/** The error of a custom check, with type and context as pydantic 2 names them. */
export interface Violation {
  type: string
  ctx: Record<string, unknown>
}

const violation = (params: Violation): { params: Violation } => ({ params })

/** A string of `min` to `max` code points, counted after cleaning and optional trimming. */
export function text(min: number, max: number, options: { trim?: boolean } = {}) {
  return z
    .string()
    .overwrite((value) => (options.trim ? cleanText(value).trim() : cleanText(value)))
    .refine((value) => codePoints(value) >= min, {
      message: `String should have at least ${min} character${min === 1 ? '' : 's'}`,
      ...violation({ type: 'string_too_short', ctx: { min_length: min } }),
    })
    .refine((value) => codePoints(value) <= max, {
      message: `String should have at most ${max} characters`,
      ...violation({ type: 'string_too_long', ctx: { max_length: max } }),
    })
    .meta({ minLength: min, maxLength: max })
}

/** The 8-4-4-4-12 form of any version and variant, converted to lower case. */
export const uuid = z
  .guid()
  .overwrite((value) => value.toLowerCase())
  .meta({ format: 'uuid' })

/** An ISO 8601 date-time in UTC. */
export const instant = z.iso.datetime().meta({ format: 'date-time' })

/** The page envelope of every list; `next_cursor` is null on the last page. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() })
