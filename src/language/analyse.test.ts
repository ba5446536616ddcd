import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../test/support/full.ts'
import { analyse, contentTerms } from './analyse.ts'
import { analysedText } from './analysed-text.ts'
import { guessLanguage, likeliestLanguages } from './guess.ts'
import { worded, words } from './words.ts'

const terms = (text: string, language = 'en' as const): string[] =>
  [...analyse(text, language)].filter(({ kind }) => kind !== 'pair').map(({ term }) => term)

describe('analyse', () => {
  test('stems words and leaves out stop words', () => {
    expect(terms('the leases were signed')).toEqual(['leas', 'sign'])
  })

  test('contractions are stop words, with an apostrophe or without one', () => {
    expect(contentTerms("who wasn’t there, and what couldn't they do", 'en')).toEqual([])
    expect(contentTerms('whats the wage, I dont know', 'en')).toEqual(['wage', 'know'])
    expect(contentTerms('she’ll shell peas', 'en')).toEqual(['shell', 'pea'])
  })

  test('a noun in -tion and its verb are one word', () => {
    for (const [noun, verb] of [
      ['rejection', 'rejected'],
      ['infections', 'infected'],
      ['expression', 'expressed'],
      ['prevention', 'prevents'],
    ] as const)
      expect(terms(noun)).toEqual(terms(verb))
  })

  test('keeps the unstemmed form of names', () => {
    expect(terms('Mr Jennings')).toEqual(
      ['mr', 'jen', 'jennings'].map((t) => (t === 'jen' ? terms('jennings')[0] : t)),
    )
  })

  test('codes are indexed whole and split', () => {
    expect(terms('AB-1200/4')).toEqual(['ab12004', 'ab', '1200', '4'])
    expect(terms('2022-10-01')[0]).toBe('2022-10-01')
  })

  test.each([
    ['BR1102', 'BR-1102'],
    ['br/1102', 'BR1102'],
    ['email', 'E-mail'],
    ['OBrien', "O'Brien"],
  ])('%s meets %s', (one, other) => {
    const indexed = new Set(terms(other))
    expect(terms(one).some((term) => indexed.has(term))).toBe(true)
  })

  test('numbers lose their grouping, not their decimals', () => {
    expect(terms('1,234,567.89')).toContain('1234567.89')
    expect(terms('12.50')).toContain('12.50')
  })

  test('a number is found in any digit grouping', () => {
    const groups = ['', ',', ' ', '\u00a0', '\u2009', '\u202f', "'", '’', '.']
    const number = fc.integer({ min: 1000, max: 999_999_999_999_999 })
    fc.assert(
      fc.property(number, fc.constantFrom(...groups), fc.constantFrom(...groups), (n, one, other) => {
        const grouped = (by: string): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, by)
        const termsIn = (text: string): string[] => analyse(text, 'de').map(({ term }) => term)
        const read = termsIn(`Die Anlage kostet ${grouped(one)} Euro.`)
        expect(read).toContain(String(n))
        expect(termsIn(grouped(other)).some((term) => read.includes(term))).toBe(true)
      }),
    )
  })

  test('figures in a row keep their own terms, fractions stay what they are', () => {
    expect(terms('10 000')).toEqual(['10', '000', '10000'])
    expect(terms('in 2020 10 000,50')).toEqual(['2020', '10', '000,50', '10000'])
    expect(terms('10 000,50 kg')).toContain('10000')
    for (const text of ['1.234', '0 123', '10 0000', '12 34', 'A1 000', '100 200 300 400 500 600'])
      expect(terms(text)).toEqual(text.split(/ /).flatMap((word) => terms(word)))
  })

  test('superscript digits are not part of the number before them', () => {
    expect(terms('1,250.00¹ and 2,557.2⁸')).toEqual([...terms('1,250.00'), '1', ...terms('2,557.2'), '8'])
    expect(terms('10⁶')).toEqual(terms('10^6'))
    expect(terms('1¹/2, 10¹²kg')).toEqual(['1', '1', '2', '10', '12', 'kg'])
    expect(terms('m² 5m² km²')).toEqual(terms('m2 5m2 km2'))
  })

  test('U.S.A., possessives and full-width forms equal their plain spelling', () => {
    expect(terms("U.S.A. Halden's Ｋｅｎ")).toEqual(['usa', 'halden', 'ken'])
  })

  test('names are found with and without their accents', () => {
    for (const language of ['en', 'de', 'fr'] as const) {
      for (const [written, typed] of [
        ['Petrović', 'Petrovic'],
        ['Café', 'Cafe'],
        ['Grünwald', 'Grunwald'],
        ['Österle', 'Osterle'],
      ] as const) {
        const indexed = new Set([...analyse(written, language)].map(({ term }) => term))
        expect([...analyse(typed, language)].some(({ term }) => indexed.has(term))).toBe(true)
      }
    }
    // Vowel signs are no accents.
    expect(terms('हिन्दी')).toEqual(['हिंदी'])
  })

  test.each([
    ['tr', 'Türkiye’nin', 'TÜRKİYE'],
    ['tr', 'ISPARTA', 'Isparta'],
    ['tr', 'ISPARTA', 'ısparta'],
    ['tr', "1990'larda", '1990'],
    ['ar', 'والمدينة', 'المدينة'],
    ['el', 'ΑΘΗΝΑ', 'Αθήνας'],
    ['ro', 'orașul', 'oraşului'],
    ['vi', 'Hà Nội', 'ha noi'],
    ['xx', '٢٠٢٤', '2024'],
  ] as const)('%s: %s and %s meet', (language, one, other) => {
    const indexed = new Set(analyse(one, language).map(({ term }) => term))
    const asked = analyse(other, language).filter(({ kind }) => kind === 'word')
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter(({ term }) => !indexed.has(term))).toEqual([])
  })

  test('in Vietnamese marks tell words apart, and a Greek article is no symbol', () => {
    expect(contentTerms('má', 'vi')).not.toEqual(contentTerms('mã', 'vi'))
    expect(contentTerms('η Αθήνα', 'el')).toEqual(contentTerms('Αθήνα', 'el'))
  })

  test('Arabic stop words are known with the words joined to them', () => {
    expect(contentTerms('والتي كانت وفي', 'ar')).toEqual([])
  })

  test('stop words written in capitals are names', () => {
    expect(terms('IT and WHO')).toEqual(['it', 'who'])
  })

  test('CJK text is found by any two adjacent characters', () => {
    expect(terms('賃貸契約')).toEqual(['賃貸', '貸契', '契約'])
  })

  test.each([
    ['Thai', 'สัญญาเช่าเริ่มวันที่หนึ่งเมษายน ผู้เช่าต้องจ่ายค่าเช่า', 'ค่าเช่า'],
    ['Lao', 'ສັນຍາເຊົ່າເຮືອນສະບັບນີ້', 'ເຊົ່າເຮືອນ'],
    ['Khmer', 'កិច្ចសន្យាជួលផ្ទះនេះ', 'ជួលផ្ទះ'],
    ['Burmese', 'အိမ်ငှားစာချုပ်သည်', 'စာချုပ်'],
  ])('%s is found by its words, though none is set apart', (_, text, word) => {
    const known = new Set(analyse(text, 'xx').map(({ term }) => term))
    // A dictionary may part a word otherwise where it stands alone; its pairs of characters stay.
    const asked = analyse(word, 'xx').flatMap(({ term, kind }) => (kind === 'exact' ? term : []))
    expect(asked.length).toBeGreaterThan(1)
    expect(asked.filter((term) => !known.has(term))).toEqual([])
  })

  test.each([
    ['œuvre', 'oeuvre', 'fr'],
    ['ŒUVRE', 'OEUVRE', 'fr'],
    ['encyclopædia', 'encyclopaedia', 'en'],
  ] as const)('%s is %s', (ligature, letters, language) => {
    expect(analyse(ligature, language)).toEqual(analyse(letters, language))
  })

  test('pairs do not cross the end of a sentence', () => {
    const pairs = [...analyse('Blue boats. Red sails', 'en')].filter(({ kind }) => kind === 'pair')
    expect(pairs.map(({ term }) => term)).toEqual(['blue boat', 'red sail'])
  })

  test('never throws and yields no empty term, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        for (const term of contentTerms(text, 'en')) expect(term.length).toBeGreaterThan(0)
      }),
      { numRuns: runs(1000) },
    )
  })
})

test('offsets of words are correct', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(300), (some, at) => {
      const text = `${some.slice(0, at)}1,5⁶/2x²${some.slice(at)}`
      for (const { raw, start, end } of words(text)) expect(text.slice(start, end)).toBe(raw)
    }),
    { numRuns: runs(500) },
  )
})

describe('guessLanguage', () => {
  test('a contraction that is a word of another language tells nothing', () => {
    expect(guessLanguage('Feuerlöscher im Lager')).toBe('de')
  })

  test.each([
    [
      'en',
      'The tenant may end this lease with six months notice, which must be given in writing to the owner.',
    ],
    [
      'de',
      'Der Mieter kann diesen Vertrag mit einer Frist von sechs Monaten kündigen, wenn er das schriftlich tut.',
    ],
    [
      'fr',
      'Le locataire peut mettre fin à ce bail avec un préavis de six mois, qui doit être donné par écrit.',
    ],
    [
      'es',
      'El inquilino puede poner fin a este contrato con un aviso de seis meses que debe darse por escrito.',
    ],
    [
      'nl',
      'De huurder kan deze overeenkomst beëindigen met een termijn van zes maanden die schriftelijk moet zijn.',
    ],
    [
      'ru',
      'Арендатор может расторгнуть этот договор, если он уведомит об этом за шесть месяцев в письменной форме.',
    ],
  ] as const)('%s', (language, text) => {
    expect(guessLanguage(text)).toBe(language)
  })

  test.each([
    ['zh', '承租人可以提前六个月书面通知终止本租约。'],
    ['ja', '借主は六か月前に書面で通知することにより、この契約を終了できます。'],
    ['th', 'ผู้เช่าอาจยกเลิกสัญญานี้โดยแจ้งเป็นลายลักษณ์อักษรล่วงหน้าหกเดือน'],
    ['vi', 'Người thuê có thể chấm dứt hợp đồng này bằng cách thông báo trước sáu tháng.'],
    ['xx', 'השוכר רשאי לסיים חוזה זה בהודעה בכתב של שישה חודשים מראש'],
    ['xx', '임차인은 육 개월 전에 서면으로 통지하여 이 계약을 해지할 수 있다'],
  ] as const)('%s by its script or its stop words', (language, text) => {
    expect(guessLanguage(text)).toBe(language)
  })

  test('a Japanese query may have no kana', () => {
    expect(analysedText('契約期間').languageAmong(['ja', 'en'])).toBe('ja')
    expect(analysedText('契約期間').languageAmong(['zh'])).toBe('zh')
    // Where both are spoken it is in the one that more texts are in.
    expect(analysedText('合同何时到期').languageAmong(['zh', 'en', 'ja'])).toBe('zh')
    expect(analysedText('契約期間').languageAmong(['ja', 'zh'])).toBe('ja')
  })

  test('a Chinese name makes no Chinese question of an English one', () => {
    for (const languages of [['en', 'zh'], ['zh', 'en'], ['zh']] as const)
      expect(likeliestLanguages(worded('What is 有限责任公司?'), languages)).toEqual(['en'])
    expect(likeliestLanguages(worded('BR-1102 and TC-740 的价格是多少?'), ['zh', 'en'])).toEqual(['zh'])
  })

  test('numbers and lists are in no language', () => {
    expect(guessLanguage('AB-12 44.5 1200 CX-9', 'fi')).toBe('fi')
  })
})
