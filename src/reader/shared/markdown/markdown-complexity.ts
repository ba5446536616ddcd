// Finds Markdown for which the parser would need quadratic time: deeply nested marks that nobody writes. Such a text is read
// as plain text. Measured: 5,000 quote marks in one line took 25 s and overflowed the stack, lists 800 deep by
// indentation 30 s, 40 KB of "*_" 45 s, 80 KB of "[a](" 10 s. Just below the limits here, the worst text takes five times as
// long as prose.

// Real lists have up to six levels.
const MAX_CONTAINERS = 60
const MAX_INDENT = 200
// Emphasis marks and brackets within a paragraph are compared pairwise; 3,000 take 0.2 s.
const MAX_INLINE_MARKS = 3000

// Matches lines that begin with so many marks as in "> - 1) > - …". Each mark begins with a non-blank character, so that a line
// can be matched in only one way and in linear time.
const NESTED_CONTAINERS = new RegExp(
  `^[ \\t]*(?:(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))[ \\t]*){${MAX_CONTAINERS}}`,
)
const INDENTED_ITEM = new RegExp(`^[ \\t]{${MAX_INDENT}}[ \\t]*(?:>|[-*+]|\\d{1,9}[.)])`)
// The beginning of a line that does not continue a paragraph: empty, a table, quotation, heading, item or link definition.
const BEGINS_BLOCK = /^[ \t]*(?:$|\||>|#|[-*+][ \t]|\d{1,9}[.)][ \t]|\[[^\]]{1,200}\]:)/
const MAX_LINE_START = 2000

/** Whether a line or paragraph of the text exceeds these limits. */
export function isTooComplex(text: string): boolean {
  let marks = 0
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at)
    const end = lineEnd === -1 ? text.length : lineEnd
    const start = text.slice(at, Math.min(end, at + MAX_LINE_START))
    if (NESTED_CONTAINERS.test(start) || INDENTED_ITEM.test(start)) return true
    if (BEGINS_BLOCK.test(start)) marks = 0
    for (let i = at; i < end; i++) if (isMark(text.charCodeAt(i))) marks++
    if (marks > MAX_INLINE_MARKS) return true
    at = end + 1
  }
  return false
}

/** Whether a character code is one of `*`, `_`, `~`, `[`, `]` and `` ` ``. */
const isMark = (code: number): boolean =>
  code === 42 || code === 95 || code === 126 || code === 91 || code === 93 || code === 96
