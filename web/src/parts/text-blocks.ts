// The text of a passage as paragraphs, lists and code. Each part has its position in the text, so that marks stay where they are.

export interface TextPart {
  text: string
  start: number
}

export interface ListItem extends TextPart {
  /** Undefined for a bullet. */
  number: number | undefined
  /** Of a list of tasks. */
  isDone: boolean | undefined
  /** From 0. */
  depth: number
}

export type TextBlock =
  | ({ kind: 'paragraph' | 'code' } & TextPart)
  | { kind: 'list'; start: number; items: ListItem[] }

const ITEM = /^( *)(?:[-*•]|(\d{1,3})[.)])[^\S\n]+(?:\[([ x])\][^\S\n]+)?(?=\S)/
// The service names the language behind the beginning of code. In a text file, a fence may begin code without one.
const CODE_BEGIN = /^```\S+$/
const CODE_END = '```'
const SPACES_PER_LEVEL = 2

export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let current: TextBlock | undefined
  let codeStart: number | undefined
  const close = (): void => {
    if (current) blocks.push(current.kind === 'list' ? listOrParagraph(text, current) : current)
    current = undefined
  }
  const lines = linesOf(text)
  for (const [at, line] of lines.entries()) {
    // A fence without a language begins code if the next fence is an end.
    const isBegin =
      codeStart === undefined &&
      (CODE_BEGIN.test(line.text) ||
        (line.text === CODE_END &&
          lines.slice(at + 1).find((other) => other.text.startsWith(CODE_END))?.text === CODE_END))
    const end = line.start + line.text.length
    if (codeStart !== undefined || (line.text === CODE_END && !isBegin)) {
      if (line.text !== CODE_END) continue
      close()
      // The passage may begin inside the code.
      const from: number = codeStart ?? (blocks.some(({ kind }) => kind === 'code') ? line.start : 0)
      if (codeStart === undefined && from === 0) blocks.length = 0
      const code = text.slice(from, Math.max(from, line.start - 1))
      if (code) blocks.push({ kind: 'code', text: code, start: from })
      codeStart = undefined
    } else if (isBegin) {
      close()
      codeStart = end + 1
    } else if (line.text.trim() === '') close()
    else {
      const item = itemOf(line)
      // As in CommonMark, only a list from 1 begins inside of a paragraph: "on the⏎12. of May".
      const isText: boolean = current?.kind === 'paragraph' && item?.number !== undefined && item.number !== 1
      if (item && !isText) {
        if (current?.kind !== 'list') {
          close()
          current = { kind: 'list', start: line.start, items: [] }
        }
        const depthBefore: number = current.items.at(-1)?.depth ?? -1
        current.items.push({ ...item, depth: Math.min(item.depth, depthBefore + 1) })
      } else if (current?.kind === 'list') {
        const last = current.items.at(-1)
        if (last) last.text = text.slice(last.start, end)
      } else if (current) current.text = text.slice(current.start, end)
      else current = { kind: 'paragraph', text: line.text, start: line.start }
    }
  }
  close()
  // The passage may end inside the code.
  if (codeStart !== undefined && codeStart < text.length)
    blocks.push({ kind: 'code', text: text.slice(codeStart), start: codeStart })
  return blocks
}

function linesOf(text: string): TextPart[] {
  const lines: TextPart[] = []
  let start = 0
  for (const line of text.split('\n')) {
    lines.push({ text: line, start })
    start += line.length + 1
  }
  return lines
}

function itemOf({ text, start }: TextPart): ListItem | undefined {
  const match = ITEM.exec(text)
  if (!match) return undefined
  const [mark, indent = '', number, box] = match
  return {
    text: text.slice(mark.length),
    start: start + mark.length,
    number: number === undefined ? undefined : Number(number),
    isDone: box === undefined ? undefined : box === 'x',
    depth: Math.floor(indent.length / SPACES_PER_LEVEL),
  }
}

/** One numbered line is a numbered paragraph, as the clauses of contracts are. */
function listOrParagraph(text: string, list: TextBlock & { kind: 'list' }): TextBlock {
  const [first, second] = list.items
  if (!first || second || first.number === undefined) return list
  return {
    kind: 'paragraph',
    text: text.slice(list.start, first.start + first.text.length),
    start: list.start,
  }
}

/** An item and those below it. */
export interface ListBranch {
  item: ListItem
  children: ListBranch[]
}

export function listTree(items: readonly ListItem[]): ListBranch[] {
  const roots: ListBranch[] = []
  const path: ListBranch[] = []
  for (const item of items) {
    const branch = { item, children: [] }
    path.length = item.depth
    const siblings = path.at(-1)?.children ?? roots
    siblings.push(branch)
    path.push(branch)
  }
  return roots
}
