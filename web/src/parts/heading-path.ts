/** The headings above a passage in one line, without the document's title and the headings with which the text begins. */
export function headingPath(
  heading: string | undefined,
  title: string | null | undefined,
  text = '',
): string {
  const repeatedHeadings = new Set([title, ...text.split(/\n{2,}/, 6)])
  return (heading?.split(' > ') ?? []).filter((level) => level && !repeatedHeadings.has(level)).join(' › ')
}
