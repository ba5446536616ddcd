// Stemming and stop words by language, from Snowball (github.com/snowballstem). Words of `xx` are not changed.

import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stopwords as arabicStopWords } from '@orama/stopwords/arabic'
import { stopwords as armenianStopWords } from '@orama/stopwords/armenian'
import { stopwords as danishStopWords } from '@orama/stopwords/danish'
import { stopwords as dutchStopWords } from '@orama/stopwords/dutch'
import { stopwords as englishStopWords } from '@orama/stopwords/english'
import { stopwords as finnishStopWords } from '@orama/stopwords/finnish'
import { stopwords as frenchStopWords } from '@orama/stopwords/french'
import { stopwords as germanStopWords } from '@orama/stopwords/german'
import { stopwords as greekStopWords } from '@orama/stopwords/greek'
import { stopwords as hungarianStopWords } from '@orama/stopwords/hungarian'
import { stopwords as hindiStopWords } from '@orama/stopwords/indian'
import { stopwords as indonesianStopWords } from '@orama/stopwords/indonesian'
import { stopwords as irishStopWords } from '@orama/stopwords/irish'
import { stopwords as italianStopWords } from '@orama/stopwords/italian'
import { stopwords as japaneseStopWords } from '@orama/stopwords/japanese'
import { stopwords as chineseStopWords } from '@orama/stopwords/mandarin'
import { stopwords as nepaliStopWords } from '@orama/stopwords/nepali'
import { stopwords as norwegianStopWords } from '@orama/stopwords/norwegian'
import { stopwords as portugueseStopWords } from '@orama/stopwords/portuguese'
import { stopwords as romanianStopWords } from '@orama/stopwords/romanian'
import { stopwords as russianStopWords } from '@orama/stopwords/russian'
import { stopwords as swedishStopWords } from '@orama/stopwords/swedish'
import { stopwords as tamilStopWords } from '@orama/stopwords/tamil'
// Orama's English stemmer removes one letter too many from -tion and -sion: "rejection" becomes "rejec", so that "reject" does
// not find it. With porter2, nDCG@10 of MuSiQue is .658 instead of .639.
import { stem as english } from 'porter2'
import { editDistance } from './edit-distance.ts'
import type { Language } from './language.ts'
import { sharedPlural, sharedStem, singular } from './plurals.ts'
import { americanSpelling } from './variants.ts'
import { foldWord, withoutAccents } from './words.ts'

const stemmers: Partial<Record<Language, (word: string) => string>> = {
  da: danish,
  de: german,
  en: (word) => english(americanSpelling(singularLetters(word))),
  es: spanish,
  fi: finnish,
  fr: french,
  it: italian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ru: russian,
  sv: swedish,
  ar: (word) => arabic(word.replace(ARABIC_AND, '')),
  el: greek,
  ga: irish,
  hi: hindi,
  hu: hungarian,
  hy: armenian,
  id: indonesian,
  lt: lithuanian,
  ne: nepali,
  ro: romanian,
  sr: serbian,
  ta: tamil,
  tr: turkish,
}

// Stop words of questions and running text that are missing in Snowball's list.
const ENGLISH_MORE = `also another came come get got like make many much never now said since still take way well
  whose done don doesn didn isn aren wasn weren hasn haven hadn won just`
// Contractions typed without an apostrophe. Those that are also other words (ill, shell, wed, lets) are left out. They are not
// counted to guess the language of a text, because "im" is also German.
const ENGLISH_CONTRACTIONS: ReadonlySet<string> = new Set(
  `isnt arent wasnt werent hasnt havent hadnt doesnt dont didnt wouldnt shouldnt couldnt mustnt cant wont im ive youre youve hes shes
  theyre theyve weve thats whats whos wheres theres hows`.split(/\s+/),
)
// Stop words that are also names: Will, May.
const NAMES_AMONG_STOP_WORDS = new Set(['will', 'may'])
const GERMAN_MORE = `wer wen wem wessen wann warum wieso weshalb woher wohin womit wozu beim ans aufs
  dass wurde wurden wurdest worden geworden würden werdet sei seien wäre wären hätte hätten hast habt
  kannst konnte könnten möchte möchten muß müssen müsste mussten sollen sollten darf dürfen durfte gibt gab
  dabei dadurch dafür daher danach daran darauf daraus darin davon deshalb sowie bereits viele vielen vieler`
// The package's Spanish list has content words (día, país, lugar); these are Snowball's words without rare verb forms.
const SPANISH = `de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este
  sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les
  ni contra otros ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho
  quienes nada muchos cual poco ella estar estas algunas algo nosotros mi mis tú te ti tu tus ellas nosotras
  vosotros os mío mía míos mías tuyo tuya tuyos tuyas suyo suya suyos suyas nuestro nuestra nuestros nuestras
  vuestro vuestra vuestros vuestras esos esas estoy está estamos están esté estén estaba estaban estuvo estuvieron
  estado he ha hemos han haya hayan había habían hubo hubieron habrá haber habido soy es somos son sea sean ser
  será serán sería era eran fue fueron fuera siendo sido tengo tiene tenemos tienen tenga tenía tuvo tener
  cuál cuáles quién quiénes dónde cuándo cómo cuánto cuántos cuánta cuántas`

// The package's Greek list has no accents. These are the most common words with their accents.
const GREEK_MORE = `ο η το οι τα του της των τον την τους τις στο στη στον στην στους στις στα και να που με από για ως δεν
  δε μην είναι ήταν έχει έχουν είχε θα αυτό αυτός αυτή αυτά ένα ένας μια μία αλλά ή κατά μετά πριν όταν όπως πως πώς τι
  ποιος ποια ποιο ποιοι πού πότε πόσο πόσα πόσοι γιατί σε προς παρά καθώς μας σας μου σου υπό επίσης ότι όμως ενώ αν`
const HINDI_MORE = `क्या कौन कौनसा कब कहाँ कहां कैसे क्यों कितना कितने कितनी किस में है हैं था थी थे की के का को से ने पर और`
// The package's lists for Lithuanian, Serbian and Turkish are in a damaged encoding.
const LITHUANIAN = `ir kad yra su iš į o kaip bet tai buvo už nuo dėl po apie ar jis ji jų jo jos šis ši šio kuris kuri kurie
  kurio kas ką kur kada koks kokia kiek kodėl ne per prie pagal iki tik dar jau bus būti savo taip pat nėra tarp`
// Of the Cyrillic stop words, only those that Russian does not have. With all of them, 3 % of Russian questions would not be
// recognised as Russian.
const SERBIAN = `i u je na da se za su od sa koji koja koje koju a ne o što šta iz kao ili ali bi će po do nije biti bio bila
  bilo kako gde kada ko ovo ova ovaj tog toga ona oni ono nego već samo prema pre posle kroz koliko је су који која које
  коју што шта као ће није био било када ово ова овај тог они него већ према пре после кроз колико`
const TURKISH = `ve bir bu da de ile için olarak olan ne mi mı mu mü çok daha en gibi kadar sonra ise ya hem her o onun
  ama ancak veya şu ki diye göre değil var yok hangi nasıl neden nerede kim kaç oldu olduğu tarafından üzere arasında
  olduğunu zaman çünkü fakat hiç ben sen biz siz onlar bunu bunun şey
  nedir kimdir hangisi hangileri kaçtır nerededir nereye nereden neyi niçin ilgili olmuştur vardır bazı tüm diğer aynı birçok iken
  eden edilen ederek etti etmek edilir olması olur dolayı itibaren ait karşı önce içinde onu ona bunlar buna böyle şekilde`

const THAI = `ที่ และ ของ ใน เป็น การ ความ มี ได้ ให้ ไม่ จะ จาก กับ ว่า ซึ่ง นี้ นั้น โดย แต่ หรือ ก็ ถูก อยู่ แล้ว ไป มา ต่อ
  เมื่อ เพื่อ อะไร ใคร ไหน เมื่อไร เมื่อไหร่ เท่าไร เท่าไหร่ อย่างไร อย่าง ไร ทำไม กี่ ใด คือ ด้วย ยัง แห่ง ตาม ระหว่าง ถึง ผู้
  นั่น นี่ เขา เธอ มัน พวก เรา กัน กว่า อีก ทั้ง บาง ทุก แต่ละ หลัง ก่อน ขึ้น ลง ออก เข้า ไว้ เอา สำหรับ บน แก่ เพราะ หาก ถ้า
  เช่น เอง นัก ทั้งหมด`
// Vietnamese stop words that are also words of other languages (do, hay, em) are left out.
const VIETNAMESE = `và của là có được cho trong các những một với không này đã từ khi để vào như ở trên dưới bởi tại về đến bị sẽ đang cũng
  nhưng hoặc nào gì đâu nhiêu mà thì nên vì nếu rằng đó đây kia ấy rất nhất hơn lại còn chỉ mỗi mọi cùng trước giữa việc
  sự cái chiếc họ nó tôi chúng ta ông bà anh chị người mấy thế nữa vẫn đều lên xuống`

const NO_WORDS: ReadonlySet<string> = new Set()

const stopWordSet = (list: readonly string[], more = ''): ReadonlySet<string> =>
  new Set([...list, ...more.split(/\s+/)].filter(Boolean).map(foldWord))

// The lists of Chinese and Japanese have digits and punctuation, too.
const isLetters = (word: string): boolean => /^\p{L}+$/u.test(word)

const stopWords: Partial<Record<Language, ReadonlySet<string>>> = {
  da: stopWordSet(danishStopWords),
  de: stopWordSet(germanStopWords, GERMAN_MORE),
  en: stopWordSet(
    englishStopWords.filter((word) => !NAMES_AMONG_STOP_WORDS.has(word)),
    ENGLISH_MORE,
  ),
  es: stopWordSet([], SPANISH),
  fi: stopWordSet(finnishStopWords),
  fr: stopWordSet(frenchStopWords),
  it: stopWordSet(italianStopWords),
  nl: stopWordSet(dutchStopWords),
  no: stopWordSet(norwegianStopWords),
  pt: stopWordSet(portugueseStopWords),
  ru: stopWordSet(russianStopWords),
  sv: stopWordSet(swedishStopWords),
  ar: stopWordSet(arabicStopWords),
  el: stopWordSet(greekStopWords, GREEK_MORE),
  ga: stopWordSet(irishStopWords),
  hi: stopWordSet(hindiStopWords, HINDI_MORE),
  hu: stopWordSet(hungarianStopWords),
  hy: stopWordSet(armenianStopWords),
  id: stopWordSet(indonesianStopWords),
  lt: stopWordSet([], LITHUANIAN),
  // The package's list for Nepali also has the words of Hindi.
  ne: stopWordSet(nepaliStopWords.filter((word) => !hindiStopWords.includes(word))),
  ro: stopWordSet(romanianStopWords),
  sr: stopWordSet([], SERBIAN),
  ta: stopWordSet(tamilStopWords),
  tr: stopWordSet([], TURKISH),
  ja: stopWordSet(japaneseStopWords.filter(isLetters)),
  th: stopWordSet([], THAI),
  vi: stopWordSet([], VIETNAMESE),
  zh: stopWordSet(chineseStopWords.filter(isLetters)),
}

// Arabic writes "and" and the prepositions of one letter together with the next word. The stemmer removes only some of them.
const ARABIC_AND = /^[وف](?=ال..)/
// After ف, ب, ل or ك at least three letters must follow, because film, understanding and milk are nouns of three letters.
const ARABIC_JOINED = /^و(?=..)|^[فبلك](?=...)/

// Removes the plural s of words without a vowel, which the stemmer keeps: llms, snps, pdfs. "Gbps" is no plural.
const singularLetters = (word: string): string =>
  /^(?!.bps$)[^aeiouy\d]{2,}[^aeiouys\d]s$/.test(word) ? word.slice(0, -1) : word

/** The stem of a folded word. A word of three letters or fewer, of more than 40, or with a digit is not changed by a stemmer. */
export function stem(word: string, language: Language): string {
  if (word.length <= 3 || word.length > 40 || /\d/.test(word)) return sharedStem(word, language)
  const shared = sharedPlural(singular(word, language), language)
  return sharedStem(stemmers[language]?.(shared) ?? shared, language)
}

/** @param word a word that `foldWord` returned */
export function isStopWord(word: string, language: Language): boolean {
  const languageStopWords = stopWords[language] ?? NO_WORDS
  return (
    languageStopWords.has(word) ||
    (language === 'en' && ENGLISH_CONTRACTIONS.has(word)) ||
    (language === 'ar' && languageStopWords.has(word.replace(ARABIC_JOINED, '')))
  )
}

/** The stop words of a language, which the language guess counts. */
export const stopWordsOf = (language: Language): ReadonlySet<string> => stopWords[language] ?? NO_WORDS

const MIN_STOP_WORD_CHARACTERS = 4

/**
 * Whether a word is at most one edit away from a stop word with the same first letter ("ofen", "whhich"). @param foldedWord
 * folded, without accents
 */
export const isNearStopWord = (foldedWord: string, language: Language): boolean =>
  [...stopWordsOf(language)].some(
    (word) =>
      word.length >= MIN_STOP_WORD_CHARACTERS &&
      word[0] === foldedWord[0] &&
      editDistance(foldedWord, withoutAccents(word), 1) <= 1,
  )
