import { describe, expect, test } from 'vitest'
import { analyse } from './analyse.ts'
import type { Language } from './language.ts'
import { stem } from './stem.ts'
import { americanSpelling, withGreekNames } from './variants.ts'

const terms = (text: string, language: Language = 'en'): string[] =>
  [...analyse(text, language)].map(({ term }) => term)

describe('British and American spelling', () => {
  test.each([
    ['colourful', 'colorful'],
    ['neighbours', 'neighbors'],
    ['organisation', 'organization'],
    ['randomised', 'randomized'],
    ['criticising', 'criticizing'],
    ['analysed', 'analyzed'],
    ['centres', 'centers'],
    ['centred', 'centered'],
    ['kilometre', 'kilometer'],
    ['licence', 'license'],
    ['defences', 'defenses'],
    ['catalogue', 'catalog'],
    ['programmes', 'programs'],
    ['leukaemia', 'leukemia'],
    ['haemoglobin', 'hemoglobin'],
    ['paediatrics', 'pediatrics'],
    ['oesophagus', 'esophagus'],
    ['diarrhoea', 'diarrhea'],
    ['practise', 'practice'],
    ['manoeuvre', 'maneuver'],
    ['manoeuvring', 'maneuvering'],
    ['anaesthetic', 'anesthetic'],
  ])('%s is %s', (british, american) => {
    expect(stem(british, 'en')).toBe(stem(american, 'en'))
  })

  test.each(
    `promise precise surprised exercises enterprise franchise compromised supervising television expertise
    otherwise raises advised paradise hour four flour course tour journal poet phoenix israel michael genre acre
    analysis basis`.split(/\s+/),
  )('%s is spelled so everywhere', (word) => {
    expect(americanSpelling(word)).toBe(word)
  })
})

describe('Greek letters', () => {
  test.each(['TNF-α', 'TNFα', 'TNF-alpha', 'TNF alpha'])('%s is tumour necrosis factor alpha', (written) => {
    expect(terms(written)).toEqual(expect.arrayContaining(['tnf', 'alpha', 'tnf alpha']))
  })

  test.each([
    ['NF-κB', 'NF-kappa-B'],
    ['β-catenin', 'beta-catenin'],
    ['ΔF508', 'delta-F508'],
    ['α', 'alpha'],
  ])('%s is %s', (symbol, name) => {
    expect(withGreekNames(symbol)).toBe(name)
  })

  test.each(['πόλη', '5 μm', 'C++', 'e-mail'])('%s stays', (text) => {
    expect(withGreekNames(text)).toBe(text)
  })
})

describe('acronyms', () => {
  test.each([
    ['LLMs', 'LLM'],
    ['llms', 'LLM'],
    ['miRNAs', 'miRNA'],
    ['GPUs', 'GPU'],
    ['PPAR-RXRs', 'RXR'],
  ])('%s finds %s', (many, one) => {
    expect(terms(many)).toContain(terms(one)[0])
  })

  test('gigabits per second are not pounds', () => {
    expect(terms('10 Gbps')).not.toContain('gbp')
    expect(terms('kbps')[0]).toBe('kbps')
  })

  test('GPs are no GPS', () => {
    expect(terms('GPs')[0]).toBe('gp')
    expect(terms('GPS')).toEqual(['gps'])
    expect(terms('CSS')).toEqual(['css'])
  })
})

describe('codes without a separator', () => {
  test.each([
    ['IL6', 'IL-6'],
    ['GPT4', 'GPT-4'],
    ['FY2023', 'FY 2023'],
    ['FOXO3a', 'FOXO-3a'],
    ['ISO 27001:2022', 'ISO 27001'],
    ['25kg', '25 kg'],
    ['1.5V', '1.5 V'],
    ['5µm', '5 µm'],
  ])('%s is read as %s', (one, other) => {
    expect(terms(one)).toEqual(expect.arrayContaining(terms(other)))
  })

  test('the letters of a code are found without its number', () => {
    expect(terms('the TET2 gene')).toContain('tet')
    expect(terms('FOXO3a-dependent')).toEqual(expect.arrayContaining(['foxo3a', 'foxo', '3a']))
  })

  test('a single letter is not split from its digits', () => {
    expect(terms('p53 and B12')).toEqual(['p53', 'p53 b12', 'b12'])
  })

  test('a code with a long number is found by its letters, which it does not look for', () => {
    expect(analyse('BR1103', 'en')).toEqual([
      { term: 'br1103', kind: 'exact' },
      { term: 'br', kind: 'bare' },
      { term: '1103', kind: 'word' },
    ])
    expect(terms('ISO27001')).toEqual(expect.arrayContaining(['iso', '27001']))
  })
})
