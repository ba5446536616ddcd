// Comments of style sheets.

/** A style sheet without comments. The marks of HTML comments are removed too, because CSS ignores them. */
export function withoutComments(sheet: string): string {
  let result = ''
  for (let at = 0; ; ) {
    const commentStart = sheet.indexOf('/*', at)
    if (commentStart < 0) {
      result += sheet.slice(at)
      break
    }
    result += `${sheet.slice(at, commentStart)} `
    const end = sheet.indexOf('*/', commentStart + 2)
    if (end < 0) break
    at = end + 2
  }
  return result.replaceAll('<!--', ' ').replaceAll('-->', ' ')
}
