/** The headings above a passage, ' > ' between levels, without the title and without those that its text begins with. */
export function headingPath(
  heading: string | undefined,
  title: string | null | undefined,
  text = '',
): string {
  const begins = new Set([title, ...text.split(/\n{2,}/, 6)])
  return (heading?.split(' > ') ?? []).filter((level) => level && !begins.has(level)).join(' › ')
}
