// Finds the title of a slide without a title placeholder, as in files of other programs or on slides with text boxes only. It is
// a line near the top whose letters are much larger than all others.

import { child, descendants, elements, textOf, type XmlElement } from '../../shared/containers/xml.ts'
import type { Shape } from './shapes.ts'

// The default font size in hundredths of a point.
const DEFAULT_HUNDREDTHS = 1800
const MIN_LARGER_RATIO = 1.25
const MAX_CHARACTERS = 100
// The number of texts that may come before the title, such as a date or the name of a chapter.
const MAX_TEXTS_BEFORE = 1

/** The shape with the title. Undefined if the slide has a title placeholder, or if no line is much larger. */
export function titleBySize(shapes: readonly Shape[]): Shape | undefined {
  const texts = shapes.filter(({ element, kind }) => kind === 'p:sp' && trimmedText(element) !== '')
  if (texts.some(({ placeholder }) => /^(?:title|ctrTitle)$/.test(placeholder ?? ''))) return undefined
  const candidates = texts.slice(0, MAX_TEXTS_BEFORE + 1).filter(({ element }) => isLine(element))
  return candidates.find((shape) => {
    const ownSize = Math.min(...sizesOf(shape.element))
    const others = texts.filter((other) => other !== shape)
    return (
      others.length > 0 &&
      others.every(({ element }) => ownSize >= Math.max(...sizesOf(element)) * MIN_LARGER_RATIO)
    )
  })
}

const trimmedText = (shape: XmlElement): string => textOf(child(shape, 'p:txBody')).trim()

function isLine(shape: XmlElement): boolean {
  const paragraphs = elements(child(shape, 'p:txBody'), 'a:p').filter(
    (paragraph) => textOf(paragraph).trim() !== '',
  )
  const text = trimmedText(shape)
  return (
    paragraphs.length === 1 &&
    text.length <= MAX_CHARACTERS &&
    /\p{L}{2}/u.test(text) &&
    !/[.,;:]$/.test(text)
  )
}

function sizesOf(shape: XmlElement): number[] {
  const runs = descendants(shape, 'a:r').filter((run) => textOf(child(run, 'a:t')).trim() !== '')
  const sizes = runs.map(
    (run) => Number(child(run, 'a:rPr')?.attributes.sz ?? DEFAULT_HUNDREDTHS) || DEFAULT_HUNDREDTHS,
  )
  return sizes.length > 0 ? sizes : [DEFAULT_HUNDREDTHS]
}
