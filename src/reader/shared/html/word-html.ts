// HTML written by Word and Outlook: list items and entries of contents are paragraphs that begin with their label, and
// tabs are runs of spaces or dots.

import { MAX_LIST_CHARACTERS } from './lists.ts'
import { beginBlock, openText, replaceText, type State } from './state.ts'

const LIST_ITEM = /mso-list\s*:\s*(?!none|ignore)\S+ level(\d)/i
const CONTENTS = /\bMsoToc(\d)\b/
const TITLE = /\bMsoTitle\b/
const MAX_DEPTH = 5

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
  const level = LIST_ITEM.exec(style)?.[1] ?? CONTENTS.exec(classNames)?.[1]
  if (level === undefined) return false
  if (state.item !== 'closed' || state.text.length > MAX_LIST_CHARACTERS) beginBlock(state, 'list')
  const depth = Math.min(Math.max(0, Number(level) - 1), MAX_DEPTH)
  replaceText(state, `${state.text.trimEnd()}${state.text.trim() === '' ? '' : '\n'}${'  '.repeat(depth)}`)
  state.item = 'open'
  return true
}

/** Closes a list item; false for other elements. */
export function closeWordItem(state: State, name: string): boolean {
  if (name !== 'p' || state.item !== 'open') return false
  state.item = 'closed'
  return true
}

/** The action when a span closes that contains the label of an item or a tab. Undefined for other spans. */
export function openWordSpan(state: State, { style = '' }: Record<string, string>): (() => void) | undefined {
  const isMark = /mso-list\s*:\s*ignore/i.test(style)
  if (!isMark && !/mso-tab-count/i.test(style)) return undefined
  const textBefore = openText(state)
  return () => {
    const text = openText(state).slice(textBefore.length)
    if (isMark) replaceText(state, textBefore + (state.item === 'open' ? `${markOf(text)} ` : text))
    else replaceText(state, `${textBefore.trimEnd()}\t`)
  }
}

/** The label of an item: "a)" as it is, "-" for the letters that symbol fonts show as bullets ("o", "§", "·"). */
function markOf(text: string): string {
  const mark = text.replace(/\s+/g, ' ').trim()
  return /[\p{L}\d]/u.test(mark) && /\d|[.):\]]$/.test(mark) ? mark : '-'
}
