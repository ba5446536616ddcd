// The languages that have single-byte code pages, with their letters beyond a to z and their code pages.

export interface OldLanguage {
  /** Its name in the package `trigrams`, which has the frequencies of its letter sequences. */
  trigrams: string
  /** All letters beyond a to z, including rare ones that the most common trigrams lack. */
  letters: string
  /** The most likely first. */
  pages: readonly string[]
  /** Spellings that do not occur, if the same bytes are common in another code page: ñ is ń in Polish. */
  never?: RegExp
}

const western = ['windows-1252', 'iso-8859-15', 'cp850', 'macintosh']
const central = ['windows-1250', 'iso-8859-2', 'cp852']
const cyrillic = ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866']
const baltic = ['windows-1257', 'iso-8859-13']

export const oldLanguages: readonly OldLanguage[] = [
  { trigrams: 'eng', letters: 'éèï', pages: western },
  { trigrams: 'deu_1996', letters: 'äöüß', pages: western },
  { trigrams: 'fra', letters: 'àâæçéèêëîïôœùûüÿ', pages: western },
  { trigrams: 'spa', letters: 'áéíñóúü', pages: western, never: /ñ(?![aeiouáéíóúü])/ },
  { trigrams: 'por_PT', letters: 'àáâãçéêíóôõúü', pages: western },
  { trigrams: 'ita', letters: 'àèéìíòóùú', pages: western },
  { trigrams: 'nld', letters: 'áéèëïóöü', pages: western },
  { trigrams: 'dan', letters: 'æøåé', pages: western },
  { trigrams: 'swe', letters: 'åäöé', pages: western },
  { trigrams: 'nob', letters: 'æøåéò', pages: western },
  { trigrams: 'fin', letters: 'äöåšž', pages: western },
  { trigrams: 'isl', letters: 'áéíóúýðþæö', pages: western },
  { trigrams: 'cat', letters: 'àçèéíïòóúü', pages: western },
  { trigrams: 'gle', letters: 'áéíóú', pages: western },
  { trigrams: 'als', letters: 'çë', pages: western },
  // Before vowels Polish writes ci, ni, si, zi.
  { trigrams: 'pol', letters: 'ąćęłńóśźż', pages: central, never: /[ćńśź][aeiouyóąę]/ },
  { trigrams: 'ces', letters: 'áčďéěíňóřšťúůýž', pages: central },
  { trigrams: 'slk', letters: 'áäčďéíĺľňóôŕšťúýž', pages: central },
  { trigrams: 'hun', letters: 'áéíóöőúüű', pages: central },
  { trigrams: 'slv', letters: 'čšž', pages: central },
  { trigrams: 'hrv', letters: 'čćđšž', pages: central },
  // The spelling since 1993. These code pages have the letters only with a cedilla.
  { trigrams: 'ron_1993', letters: 'ăâîşţ', pages: central },
  { trigrams: 'rus', letters: 'ё', pages: cyrillic },
  { trigrams: 'bul', letters: '', pages: cyrillic },
  { trigrams: 'srp_cyrl', letters: 'ђјљњћџ', pages: cyrillic },
  { trigrams: 'mkd', letters: 'ѓѕјљњќџ', pages: cyrillic },
  { trigrams: 'bel', letters: 'ёіў', pages: cyrillic },
  { trigrams: 'ukr', letters: 'ґєії', pages: ['windows-1251', 'koi8-u', 'iso-8859-5', 'ibm866'] },
  { trigrams: 'ell_monotonic', letters: 'άέήίόύώϊϋΐΰς', pages: ['windows-1253', 'iso-8859-7'] },
  { trigrams: 'tur', letters: 'çğıöşüâî', pages: ['windows-1254', 'iso-8859-9'] },
  { trigrams: 'heb', letters: '', pages: ['windows-1255', 'iso-8859-8'] },
  { trigrams: 'arb', letters: 'ءآأؤإئ', pages: ['windows-1256', 'iso-8859-6'] },
  { trigrams: 'pes_1', letters: 'پچژگ', pages: ['windows-1256'] },
  { trigrams: 'est', letters: 'äõöüšž', pages: baltic },
  { trigrams: 'lav', letters: 'āčēģīķļņšūž', pages: baltic },
  { trigrams: 'lit', letters: 'ąčęėįšųūž', pages: baltic },
  { trigrams: 'tha', letters: '', pages: ['windows-874'] },
  // Tones are separate combining marks in this code page.
  { trigrams: 'vie', letters: 'ăâđêôơư', pages: ['windows-1258'] },
]
