// HTML as Word and Outlook write it: items of lists are paragraphs whose mark is typed before them, entries of contents
// too, and tabs are runs of spaces or dots.

import { gathered, regathered, start } from './flow.ts'
import { MOST_LIST_CHARACTERS } from './lists.ts'
import type { State } from './state.ts'

const ITEM = /mso-list\s*:\s*(?!none|ignore)\S+ level(\d)/i
const CONTENTS = /\bMsoToc(\d)\b/
const TITLE = /\bMsoTitle\b/
const MOST_DEPTH = 5

/** Opens what only Word calls an item, an entry or a title; false for any other element. */
export function openWordParagraph(
  state: State,
  name: string,
  { style = '', class: own = '' }: Record<string, string>,
): boolean {
  if (name !== 'p' || state.lists.length > 0) return false
  if (TITLE.test(own) || (/^(?:\S+ )*title(?: |$)/.test(own) && state.blocks.length === 0)) {
    start(state, 'heading', 1)
    return true
  }
  const level = ITEM.exec(style)?.[1] ?? CONTENTS.exec(own)?.[1]
  if (level === undefined) return false
  if (state.item !== 'closed' || state.text.length > MOST_LIST_CHARACTERS) start(state, 'list')
  const depth = Math.min(Math.max(0, Number(level) - 1), MOST_DEPTH)
  regathered(state, `${state.text.trimEnd()}${state.text.trim() === '' ? '' : '\n'}${'  '.repeat(depth)}`)
  state.item = 'open'
  return true
}

/** Whether the paragraph that closes is an item, which the next one goes on from. */
export function closeWordItem(state: State, name: string): boolean {
  if (name !== 'p' || state.item !== 'open') return false
  state.item = 'closed'
  return true
}

/** What to do when a span of Word's closes: what stands in it is the mark of an item, or a tab. */
export function openWordSpan(state: State, { style = '' }: Record<string, string>): (() => void) | undefined {
  const isMark = /mso-list\s*:\s*ignore/i.test(style)
  if (!isMark && !/mso-tab-count/i.test(style)) return undefined
  const before = gathered(state)
  return () => {
    const text = gathered(state).slice(before.length)
    if (isMark) regathered(state, before + (state.item === 'open' ? `${markOf(text)} ` : text))
    else regathered(state, `${before.trimEnd()}\t`)
  }
}

/** "a)" as it is; the letters of symbol fonts ("o", "§", "·") are bullets. */
function markOf(text: string): string {
  const mark = text.replace(/\s+/g, ' ').trim()
  return /[\p{L}\d]/u.test(mark) && /\d|[.):\]]$/.test(mark) ? mark : '-'
}
