// Divides a Markdown text into blocks while it is still being written. A block has ended if an empty line outside of code is followed
// by a line that is not indented. Pure.

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/

interface Fence {
  start: number
  mark: string
}

/** The lines of a text from an offset, with what is open at the end of each: the fence of a code block. */
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

/** The end of the block that begins at `from`, where the next one begins. Undefined while the block may go on. */
export function nextBlock(text: string, from: number): number | undefined {
  let isBehindEmptyLine = false
  for (const { start, line, fence } of linesFrom(text, from)) {
    if (isBehindEmptyLine && /^\S/.test(line)) return start
    isBehindEmptyLine = line.trim() === '' && fence === undefined && start > from
  }
  return undefined
}

/** Where the code block begins that is open at the end of the text; undefined if none is. */
export function fenceAtEnd(text: string): number | undefined {
  let fence: Fence | undefined
  for (const line of linesFrom(text, 0)) fence = line.fence
  return fence?.start
}
