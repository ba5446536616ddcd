// Whether a text changes an earlier one, by what it says or by what it is called: amendments of contracts, rules replaced.
// English, German, French, Spanish. Pure.

const CHANGES =
  /(?<![\p{L}])(?:(?:is|are|be) (?:hereby )?(?:amended|replaced|deleted|changed|substituted|extended|reduced|shortened)|replac(?:es|ed) (?:by|with|the)|supersed(?:e|es|ed)|shall (?:now )?read|in place of|(?:wird|werden|ist|sind) [^.;]{0,120}?(?:geändert|ersetzt|gestrichen|aufgehoben|verlängert|verkürzt|angepasst|neu gefasst)|ersetzt durch|an die stelle|tritt an|(?:lautet|lauten|gilt|beträgt) (?:künftig|nunmehr|ab)|(?:est|sont) (?:modifiée?s?|remplacée?s?|supprimée?s?|prolongée?s?|réduite?s?|portée?s?)|remplacée?s? par|au lieu de|(?:se (?:sustituye|modifica|reemplaza|suprime|amplía|reduce)n?|queda(?:n)? (?:modificad[oa]s?|sustituid[oa]s?|redactad[oa]s?)|en lugar de))(?![\p{L}])/iu
const CHANGING_TITLE =
  /(?<![\p{L}])(?:amend(?:ment|ing)|addendum|variation|supplement(?:al)?|nachtr(?:ag|äge)|\p{L}*änderung(?:s\p{L}*)?|ergänzung\p{L}*|zusatzvereinbarung|avenant|modificatif|adenda|anexo modificatorio|enmienda|modificación)(?![\p{L}])/iu

export const saysItChanges = (text: string): boolean => CHANGES.test(text)

export const isCalledChange = (title: string): boolean => CHANGING_TITLE.test(title)
