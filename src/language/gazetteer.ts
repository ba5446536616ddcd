// Looks up case-folded words in lists of names, places, occupations and common words (gazetteer-data.ts). The answers are only
// hints: the document's own evidence decides. Pure.

import { isDictionaryWord } from './dictionary.ts'
import {
  CITIES,
  COUNTRIES,
  FIRST_NAMES,
  LAST_NAMES,
  MODIFIERS,
  NOUNS,
  OCCUPATIONS,
  ORGANIZATIONS,
  PLACES,
  REGIONS,
} from './gazetteer-data.ts'

const setOf = (...texts: string[]): ReadonlySet<string> => new Set(texts.flatMap((text) => text.split('|')))

const MORE_COUNTRIES =
  'america|soviet union|yugoslavia|czechoslovakia|east germany|west germany|great britain|britain|northern ireland|' +
  'holland|prussia|u.s|u.s.a|u.k|us|eu|european union|congo|democratic republic of the congo|persia|uae|catalonia|' +
  'deutschland|österreich|schweiz|frankreich|italien|spanien|polen|niederlande|belgien|españa|alemania|francia|italia'
const MORE_PLACES =
  'north america|south america|latin america|central america|middle east|far east|eastern europe|western europe|' +
  'central asia|southeast asia|east asia|antarctica|caribbean|balkans|scandinavia|mediterranean|atlantic|pacific|' +
  'atlantic ocean|pacific ocean|indian ocean|oceania|australasia|siberia|transylvania|bavaria|saxony|silesia|crimea|' +
  'washington|d.c|l.a|münchen|köln|zürich|wien|genf|bonn|stuttgart|düsseldorf|leipzig|dresden|nürnberg|bremen|basel|bern'

// Places whose names are also given names. In the lists of the package most of them are only one of the two.
const PLACES_OR_GIVEN_NAMES =
  'adelaide|alexandria|austin|brooklyn|camden|carolina|chad|charlotte|chelsea|cheyenne|dakota|dallas|devon|' +
  'florence|georgia|houston|israel|jordan|kent|kingston|kobe|lancaster|madison|memphis|milan|' +
  'orlando|paris|phoenix|regina|santiago|savannah|siena|sydney|trinidad|troy|valencia|verona|victoria|vienna|virginia'

// More companies. The names of some are also words, places or people, but in capitals mostly mean the company.
const MORE_ORGANIZATIONS =
  'amazon|apple|oracle|shell|visa|alphabet|meta|sap|bosch|adobe|mastercard|boeing|airbus|openai|nvidia|spotify|' +
  'deloitte|pwc|kpmg|mckinsey|reuters|bloomberg|world health organization|world bank|european commission'

const firstNames = setOf(FIRST_NAMES)
const lastNames = setOf(LAST_NAMES)
const countries = setOf(COUNTRIES, MORE_COUNTRIES)
const places = setOf(CITIES, REGIONS, PLACES, MORE_PLACES)
const placesOrGivenNames = setOf(PLACES_OR_GIVEN_NAMES)
const regions = setOf(REGIONS)
const organizations = setOf(ORGANIZATIONS, MORE_ORGANIZATIONS)
const occupations = setOf(OCCUPATIONS)
const modifiers = setOf(MODIFIERS)
const nouns = setOf(NOUNS)

export const isFirstName = (word: string): boolean => firstNames.has(word)
export const isLastName = (word: string): boolean => lastNames.has(word)
export const isCountry = (name: string): boolean => countries.has(name)
/** States, provinces and similar regions. */
export const isRegion = (name: string): boolean => regions.has(name)
/** Countries, continents, regions, cities; one or several words, without article. */
export const isPlace = (name: string): boolean => countries.has(name) || places.has(name)
/** Whether the word is the name of a place and a given name: Jordan, Paris. Only the words around it show which is meant. */
export const isPlaceOrGivenName = (word: string): boolean => placesOrGivenNames.has(word)
export const isKnownOrganization = (name: string): boolean =>
  organizations.has(name) || organizations.has(`the ${name}`)
export const isOccupation = (word: string): boolean => occupations.has(word)

/** An English adjective, adverb, participle or preposition; also any word that ends in -ly. */
export const isModifier = (word: string): boolean => modifiers.has(word) || /.{3}ly$/.test(word)

/** Whether a word in lower case is an English dictionary word, its plural, or has an ending of such words (-tion, -ness). */
export function isCommonWord(word: string): boolean {
  if (isDictionaryWord(word)) return true
  if (modifiers.has(word) || nouns.has(word)) return true
  if (word.endsWith('ies') && nouns.has(`${word.slice(0, -3)}y`)) return true
  if (word.endsWith('es') && nouns.has(word.slice(0, -2))) return true
  if (word.endsWith('s') && nouns.has(word.slice(0, -1))) return true
  return /.{3}(?:ing|ed|ly|tion|tions|ment|ments|ness|ity|ities|ously|able|ible)$/.test(word)
}

// Demonym or adjective -> the key of its country or region.
const DEMONYMS = new Map(
  (
    'afghan:afghanistan african:africa albanian:albania algerian:algeria american:united_states angolan:angola ' +
    'argentine:argentina argentinian:argentina armenian:armenia asian:asia australian:australia austrian:austria ' +
    'azerbaijani:azerbaijan bangladeshi:bangladesh belarusian:belarus belgian:belgium bolivian:bolivia ' +
    'bosnian:bosnia_and_herzegovina brazilian:brazil british:united_kingdom bulgarian:bulgaria cambodian:cambodia ' +
    'cameroonian:cameroon canadian:canada catalan:catalonia chilean:chile chinese:china colombian:colombia ' +
    'congolese:congo croatian:croatia cuban:cuba cypriot:cyprus czech:czech_republic danish:denmark dutch:netherlands ' +
    'ecuadorian:ecuador egyptian:egypt english:england estonian:estonia ethiopian:ethiopia european:europe ' +
    'filipino:philippines finnish:finland french:france georgian:georgia german:germany ghanaian:ghana greek:greece ' +
    'guatemalan:guatemala haitian:haiti honduran:honduras hungarian:hungary icelandic:iceland indian:india ' +
    'indonesian:indonesia iranian:iran iraqi:iraq irish:ireland israeli:israel italian:italy jamaican:jamaica ' +
    'japanese:japan jordanian:jordan kazakh:kazakhstan kenyan:kenya korean:korea kosovan:kosovo kuwaiti:kuwait ' +
    'latvian:latvia lebanese:lebanon liberian:liberia libyan:libya lithuanian:lithuania macedonian:macedonia ' +
    'malaysian:malaysia maltese:malta mexican:mexico moldovan:moldova mongolian:mongolia montenegrin:montenegro ' +
    'moroccan:morocco namibian:namibia nepalese:nepal nepali:nepal nicaraguan:nicaragua nigerian:nigeria ' +
    'norwegian:norway omani:oman pakistani:pakistan palestinian:palestine panamanian:panama paraguayan:paraguay ' +
    'persian:persia peruvian:peru polish:poland portuguese:portugal prussian:prussia qatari:qatar romanian:romania ' +
    'russian:russia rwandan:rwanda saudi:saudi_arabia scottish:scotland senegalese:senegal serbian:serbia ' +
    'singaporean:singapore slovak:slovakia slovenian:slovenia slovene:slovenia somali:somalia soviet:soviet_union ' +
    'spanish:spain sudanese:sudan swedish:sweden swiss:switzerland syrian:syria taiwanese:taiwan thai:thailand ' +
    'tunisian:tunisia turkish:turkey ugandan:uganda ukrainian:ukraine uruguayan:uruguay venezuelan:venezuela ' +
    'vietnamese:vietnam welsh:wales yugoslav:yugoslavia zambian:zambia zimbabwean:zimbabwe'
  )
    .split(' ')
    .map((pair): [string, string] => {
      const [adjective = '', country = ''] = pair.split(':')
      return [adjective, country.replaceAll('_', ' ')]
    }),
)

/** The country of a demonym or its plural, as a case-folded name; undefined for any other word. */
export const countryOfDemonym = (word: string): string | undefined =>
  DEMONYMS.get(word) ?? (word.endsWith('s') ? DEMONYMS.get(word.slice(0, -1)) : undefined)
