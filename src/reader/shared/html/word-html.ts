// HTML written by Word and Outlook. In it, list items and entries of a table of contents are paragraphs that begin with their
// label, and a tab is several spaces or dots.

import { MAX_LIST_CHARACTERS } from './lists.ts'
import { beginBlock, replaceText, type State, textOfOpenPart } from './state.ts'

const LIST_ITEM = /mso-list\s*:\s*(?!none|ignore)\S+ level(\d)/i
const CONTENTS_ENTRY = /\bMsoToc(\d)\b/
const TITLE = /\bMsoTitle\b/
const MAX_LIST_DEPTH = 5

/** Opens a list item, an entry of a table of contents or a title in Word's HTML. False for other elements. */
export function openWordParagraph(
  state: State,
  name: string,
  { style = '', class: classNames = '' }: Record<string, string>,
): boolean {
  if (name !== 'p' || state.lists.length > 0) return false
  if (TITLE.test(classNames) || (/^(?:\S+ )*title(?: |$)/.test(classNames) && state.blocks.length === 0)) {
    beginBlock(state, 'heading', 1)
    return true
  }
  const level = LIST_ITEM.exec(style)?.[1] ?? CONTENTS_ENTRY.exec(classNames)?.[1]
  if (level === undefined) return false
  // After an item, this paragraph is the next item of the same list.
  if (state.wordItem !== 'closed' || state.text.length > MAX_LIST_CHARACTERS) beginBlock(state, 'list')
  const depth = Math.min(Math.max(0, Number(level) - 1), MAX_LIST_DEPTH)
  replaceText(state, `${state.text.trimEnd()}${state.text.trim() === '' ? '' : '\n'}${'  '.repeat(depth)}`)
  state.wordItem = 'open'
  return true
}

/** Closes a list item; false for other elements. */
export function closeWordItem(state: State, name: string): boolean {
  if (name !== 'p' || state.wordItem !== 'open') return false
  state.wordItem = 'closed'
  return true
}

/** Opens a span with the label of an item or with a tab. Returns the function to call when it closes; undefined for other spans. */
export function openWordSpan(state: State, { style = '' }: Record<string, string>): (() => void) | undefined {
  const isLabel = /mso-list\s*:\s*ignore/i.test(style)
  if (!isLabel && !/mso-tab-count/i.test(style)) return undefined
  const textBefore = textOfOpenPart(state)
  return () => {
    const text = textOfOpenPart(state).slice(textBefore.length)
    if (isLabel) replaceText(state, textBefore + (state.wordItem === 'open' ? `${labelOf(text)} ` : text))
    else replaceText(state, `${textBefore.trimEnd()}\t`)
  }
}

/** The label of an item: "a)" as it is, "-" for the letters that symbol fonts show as bullets ("o", "§", "·"). */
function labelOf(text: string): string {
  const label = text.replace(/\s+/g, ' ').trim()
  return /[\p{L}\d]/u.test(label) && /\d|[.):\]]$/.test(label) ? label : '-'
}
