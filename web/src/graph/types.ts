// The types of entities: their colours, and their names as words.

const COLOURS: ReadonlySet<string> = new Set([
  'person',
  'organization',
  'location',
  'event',
  'work',
  'product',
  'technology',
  'law',
  'concept',
])

/** The stylesheet's variable with the colour of a type. */
export const typeColour = (type: string): string =>
  COLOURS.has(type.toLowerCase()) ? `--type-${type.toLowerCase()}` : '--type-other'

/** `SIGNED_WITH` → "signed with" */
export const typeLabel = (type: string): string => type.toLowerCase().replaceAll('_', ' ')
