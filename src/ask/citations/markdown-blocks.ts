// Divides a Markdown text into blocks while it is still being written. A block has ended if an empty line outside of code is followed
// by a line that is not indented. Pure.

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/

interface Fence {
  start: number
  mark: string
}

/** The lines of a text from an offset. `fence` is the code fence that is open after the line. */
function* linesFrom(
  text: string,
  from: number,
): Generator<{ start: number; end: number; line: string; fence: Fence | undefined }> {
  let fence: Fence | undefined
  for (let start = from; start <= text.length; ) {
    const lineBreak = text.indexOf('\n', start)
    const end = lineBreak < 0 ? text.length : lineBreak
    const line = text.slice(start, end)
    fence = fenceAfter(line, start, fence)
    yield { start, end, line, fence }
    start = end + 1
  }
}

function fenceAfter(line: string, start: number, open: Fence | undefined): Fence | undefined {
  const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
  if (!mark) return open
  if (!open) return mark[0] === '`' && rest.includes('`') ? undefined : { start, mark }
  const closes = mark[0] === open.mark[0] && mark.length >= open.mark.length && rest.trim() === ''
  return closes ? undefined : open
}

/** The end of the block that begins at `from`, which is where the next block begins. Undefined if the block may continue. */
export function nextBlock(text: string, from: number): number | undefined {
  let isAfterEmptyLine = false
  for (const { start, line, fence } of linesFrom(text, from)) {
    if (isAfterEmptyLine && /^\S/.test(line)) return start
    isAfterEmptyLine = line.trim() === '' && fence === undefined && start > from
  }
  return undefined
}

/** The start of the code block that is open at the end of the text. Undefined if there is none. */
export function fenceAtEnd(text: string): number | undefined {
  let fence: Fence | undefined
  for (const line of linesFrom(text, 0)) fence = line.fence
  return fence?.start
}
