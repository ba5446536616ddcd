// The types of entities and relations: colours, and their names as words.

import { message, t } from '../language/text.tsx'

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

/** The types of entities and relations that the service gives. A model may find others, which are shown as they are. */
const LABELS: Readonly<Record<string, string>> = {
  person: message('person'),
  organization: message('organization'),
  location: message('location'),
  event: message('event'),
  work: message('work'),
  product: message('product'),
  technology: message('technology'),
  law: message('law'),
  concept: message('concept'),
  other: message('other'),
  born_in: message('born in'),
  capital_of: message('capital of'),
  child_of: message('child of'),
  citizen_of: message('citizen of'),
  created_by: message('created by'),
  died_in: message('died in'),
  educated_at: message('educated at'),
  features: message('features'),
  founded_by: message('founded by'),
  from_country: message('from country'),
  is_a: message('is a'),
  leads: message('leads'),
  lives_in: message('lives in'),
  located_in: message('located in'),
  member_of: message('member of'),
  mentioned_with: message('mentioned with'),
  owns: message('owns'),
  part_of: message('part of'),
  participated_in: message('participated in'),
  plays_for: message('plays for'),
  produced_by: message('produced by'),
  published_by: message('published by'),
  related_to: message('related to'),
  sibling_of: message('sibling of'),
  signed_with: message('signed with'),
  spouse_of: message('spouse of'),
  succeeded_by: message('succeeded by'),
  supplies: message('supplies'),
  works_for: message('works for'),
}

/** `SIGNED_WITH` → "signed with" */
export function typeLabel(type: string): string {
  const name = type.toLowerCase()
  return t(LABELS[name] ?? name.replaceAll('_', ' '))
}
