// Joins the lines of a text of the form "format=flowed", in which a line that ends with a space continues ([RFC 3676] 4). The library
// joins quoted lines with their quote marks: "> your invoice > is 241 euros".

import PostalMime from 'postal-mime'

const SIGNATURE = '-- '

/**
 * The text with its paragraphs in one line each. A quoted line has its quote marks, a space and its text.
 * @param isSpaceDeleted whether the space at the end of a line that continues is not part of the text (DelSp)
 */
export function joinFlowedLines(text: string, isSpaceDeleted: boolean): string {
  const pieces: string[] = []
  let depth = -1
  let continues = false
  for (const line of text.split(/\r?\n/)) {
    const lineDepth = markCount(line)
    const stuffedWords = line.slice(lineDepth)
    const words = stuffedWords.startsWith(' ') ? stuffedWords.slice(1) : stuffedWords
    if (!continues || lineDepth !== depth || words === SIGNATURE) {
      if (depth !== -1) pieces.push('\n')
      // A sign in the text keeps the space before it, which tells it from a quote mark.
      const isMark = lineDepth > 0 || words.startsWith('>')
      if (isMark) pieces.push('>'.repeat(lineDepth), ' ')
    }
    depth = lineDepth
    continues = words.endsWith(' ') && words !== SIGNATURE
    pieces.push(continues && isSpaceDeleted ? words.slice(0, -1) : words)
  }
  return pieces.join('')
}

function markCount(line: string): number {
  let count = 0
  while (line[count] === '>') count++
  return count
}

/** Makes the library use `joinFlowedLines`. Its class for the parts of a message has no other way to replace one of its methods. */
export function mendFlowedText(): void {
  const node: unknown = Reflect.get(new PostalMime(), 'root')
  Object.assign(Object.getPrototypeOf(node), { decodeFlowedText: joinFlowedLines })
}
