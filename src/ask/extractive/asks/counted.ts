// "How many electric vans does the co-operative own?": nothing that is never named is counted. English, German, French,
// Spanish.

const COUNT = String.raw`how many|wie ?viele|combien d(?:e\s|['’])|cuánt[oa]s`
const VERB =
  'do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|may|must|stand|work|live|sind|ist|war|waren|hat|haben|hatte|gibt|gehören|besitzt|besitzen|kann|können|darf|dürfen|muss|müssen|arbeiten|wohnen|y|est|sont|a|ont|avait|peut|peuvent|possède|possèdent|faut|hay|es|son|tiene|tienen|había|puede|pueden|posee|poseen'
const ASKED = new RegExp(
  String.raw`(?<![\p{L}])(${COUNT})\s*(\p{L}[\p{L}-]*(?:\s\p{L}[\p{L}-]*){0,3}?)(?=\s(?:${VERB})(?![\p{L}])|\s*[?？]?\s*$)`,
  'iu',
)
// The noun stands last in English and German ("electric vans"), first in French and Spanish ("camionnettes électriques").
const NOUN_FIRST = /^(?:combien|cuánt)/iu

/** The noun of what is to be counted, as written; undefined for another question. */
export function countedThing(question: string): string | undefined {
  const [, count = '', phrase] = ASKED.exec(question) ?? []
  const nouns = phrase?.split(/\s/)
  return NOUN_FIRST.test(count) ? nouns?.[0] : nouns?.at(-1)
}
