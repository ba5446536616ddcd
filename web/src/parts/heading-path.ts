/** The headings above a passage, with ' > ' between levels, without the title and those with which its text begins. */
export function headingPath(
  heading: string | undefined,
  title: string | null | undefined,
  text = '',
): string {
  const begins = new Set([title, ...text.split(/\n{2,}/, 6)])
  return (heading?.split(' > ') ?? []).filter((level) => level && !begins.has(level)).join(' › ')
}
