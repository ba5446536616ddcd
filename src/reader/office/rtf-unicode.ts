// The characters for old readers behind each \u one: as many as the file says (\uc), one where it says nothing, none in
// files of macOS. officeparser shows them: "€?".

const OTHERWISE = /\\uc(?:0|[2-9]|1\d)/
// Behind an escaped backslash stands text: "C:\\up10".
const ONE_EACH = /\\\\|\\_|\\u(-?\d{1,5})(?!\d) ?(?:\\'[0-9a-fA-F]{2}|[^\\{}\r\n])/g
const TOKEN = /\\'[\da-fA-F]{2}|\\([a-z]+)(-?\d+)? ?|\\[\s\S]|[{}]|[\r\n]+|[^\\{}\r\n]+/g
// A hyphen that keeps its line together was read as an underscore.
const HYPHEN = "\\'2d"

/** The RTF without them. */
export function withoutReplacements(rtf: string): string {
  if (OTHERWISE.test(rtf)) return countedOut(rtf)
  return rtf.replace(ONE_EACH, (all, code?: string) =>
    all === '\\_' ? HYPHEN : code === undefined ? all : `\\u${code} `,
  )
}

function countedOut(rtf: string): string {
  const out: string[] = []
  const open: number[] = []
  let each = 1
  let skip = 0
  for (const [token, word, number] of rtf.matchAll(TOKEN)) {
    if (token === '{') open.push(each)
    else if (token === '}') each = open.pop() ?? each
    else if (word === 'uc') each = Number(number ?? 1)
    if (word === 'u' && number !== undefined) {
      out.push(`\\u${number} `)
      skip = each
    } else if (skip > 0 && token.startsWith("\\'")) skip--
    else if (skip > 0 && !/^[\\{}\r\n]/.test(token)) {
      out.push(token.slice(skip))
      skip = Math.max(0, skip - token.length)
    } else {
      if (!/^[\r\n]/.test(token)) skip = 0
      out.push(token === '\\_' ? HYPHEN : token)
    }
  }
  return out.join('')
}
