// The languages that have single-byte code pages, with their letters beyond a to z and their code pages.

export interface OldLanguage {
  /** Its name in the package `trigrams`, which has the frequencies of its letter sequences. */
  trigrams: string
  /** All letters beyond a to z, including rare ones that the most common trigrams lack. */
  letters: string
  /** The code pages, the most likely first. */
  codePages: readonly string[]
  /** Spellings that do not occur in the language but are common in another code page: ñ in Spanish is ń in Polish. */
  excludedSpelling?: RegExp
}

const western = ['windows-1252', 'iso-8859-15', 'cp850', 'macintosh']
const central = ['windows-1250', 'iso-8859-2', 'cp852']
const cyrillic = ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866']
const baltic = ['windows-1257', 'iso-8859-13']

export const oldLanguages: readonly OldLanguage[] = [
  { trigrams: 'eng', letters: 'éèï', codePages: western },
  { trigrams: 'deu_1996', letters: 'äöüß', codePages: western },
  { trigrams: 'fra', letters: 'àâæçéèêëîïôœùûüÿ', codePages: western },
  { trigrams: 'spa', letters: 'áéíñóúü', codePages: western, excludedSpelling: /ñ(?![aeiouáéíóúü])/ },
  { trigrams: 'por_PT', letters: 'àáâãçéêíóôõúü', codePages: western },
  { trigrams: 'ita', letters: 'àèéìíòóùú', codePages: western },
  { trigrams: 'nld', letters: 'áéèëïóöü', codePages: western },
  { trigrams: 'dan', letters: 'æøåé', codePages: western },
  { trigrams: 'swe', letters: 'åäöé', codePages: western },
  { trigrams: 'nob', letters: 'æøåéò', codePages: western },
  { trigrams: 'fin', letters: 'äöåšž', codePages: western },
  { trigrams: 'isl', letters: 'áéíóúýðþæö', codePages: western },
  { trigrams: 'cat', letters: 'àçèéíïòóúü', codePages: western },
  { trigrams: 'gle', letters: 'áéíóú', codePages: western },
  { trigrams: 'als', letters: 'çë', codePages: western },
  // Before vowels Polish writes ci, ni, si, zi.
  { trigrams: 'pol', letters: 'ąćęłńóśźż', codePages: central, excludedSpelling: /[ćńśź][aeiouyóąę]/ },
  { trigrams: 'ces', letters: 'áčďéěíňóřšťúůýž', codePages: central },
  { trigrams: 'slk', letters: 'áäčďéíĺľňóôŕšťúýž', codePages: central },
  { trigrams: 'hun', letters: 'áéíóöőúüű', codePages: central },
  { trigrams: 'slv', letters: 'čšž', codePages: central },
  { trigrams: 'hrv', letters: 'čćđšž', codePages: central },
  // The spelling since 1993. These code pages have ş and ţ only with a cedilla, not with a comma.
  { trigrams: 'ron_1993', letters: 'ăâîşţ', codePages: central },
  { trigrams: 'rus', letters: 'ё', codePages: cyrillic },
  { trigrams: 'bul', letters: '', codePages: cyrillic },
  { trigrams: 'srp_cyrl', letters: 'ђјљњћџ', codePages: cyrillic },
  { trigrams: 'mkd', letters: 'ѓѕјљњќџ', codePages: cyrillic },
  { trigrams: 'bel', letters: 'ёіў', codePages: cyrillic },
  { trigrams: 'ukr', letters: 'ґєії', codePages: ['windows-1251', 'koi8-u', 'iso-8859-5', 'ibm866'] },
  { trigrams: 'ell_monotonic', letters: 'άέήίόύώϊϋΐΰς', codePages: ['windows-1253', 'iso-8859-7'] },
  { trigrams: 'tur', letters: 'çğıöşüâî', codePages: ['windows-1254', 'iso-8859-9'] },
  { trigrams: 'heb', letters: '', codePages: ['windows-1255', 'iso-8859-8'] },
  { trigrams: 'arb', letters: 'ءآأؤإئ', codePages: ['windows-1256', 'iso-8859-6'] },
  { trigrams: 'pes_1', letters: 'پچژگ', codePages: ['windows-1256'] },
  { trigrams: 'est', letters: 'äõöüšž', codePages: baltic },
  { trigrams: 'lav', letters: 'āčēģīķļņšūž', codePages: baltic },
  { trigrams: 'lit', letters: 'ąčęėįšųūž', codePages: baltic },
  { trigrams: 'tha', letters: '', codePages: ['windows-874'] },
  // Tones are separate combining marks in this code page.
  { trigrams: 'vie', letters: 'ăâđêôơư', codePages: ['windows-1258'] },
]
