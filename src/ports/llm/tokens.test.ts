// The estimate is never below the exact count and not far above it, in languages, code and identifiers.

import { readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { estimateTokens } from './tokens.ts'

/** Characters of one passage. */
const PASSAGE = 4000

const inLanguages = {
  Arabic:
    'يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق، وقد وهبوا عقلًا وضميرًا وعليهم أن يعامل بعضهم بعضًا بروح الإخاء.',
  Chinese: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  Czech:
    'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím.',
  Finnish:
    'Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille on annettu järki ja omatunto.',
  French:
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience.',
  German:
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt.',
  Greek: 'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.',
  Hebrew: 'כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון.',
  Hindi: 'सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।',
  Hungarian:
    'Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek ésszel és lelkiismerettel bírnak.',
  Japanese: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  Korean: '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.',
  Polish: 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw.',
  Russian:
    'Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью.',
  Spanish:
    'Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón y conciencia.',
  Thai: 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ',
  Turkish: 'Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler.',
}

test.each(Object.entries(inLanguages))('%s', (_, text) => {
  expect(text).toBeEstimatedWithin(2.1)
})

test.each(['README.md', 'openapi.json', 'package-lock.json', 'src/app.ts', 'examples/suppliers.csv'])(
  '%s',
  (path) => {
    const text = readFileSync(path, 'utf8').slice(0, 100_000)
    for (let at = 0; at < text.length; at += PASSAGE)
      expect(text.slice(at, at + PASSAGE)).toBeEstimatedWithin(2.1)
  },
)

const bytes = Buffer.from(Array.from({ length: 1500 }, (_, i) => (i * 7919 + ((i * i) >> 3)) % 256))

test.each([
  ['base64', bytes.toString('base64')],
  ['hexadecimal', bytes.toString('hex')],
  ['identifiers', bytes.toString('hex').match(/.{8}/g)?.join('-') ?? ''],
  ['ruled lines', `${'-'.repeat(500)}\n${'. '.repeat(200)}\n${'| '.repeat(200)}${'\n'.repeat(200)}`],
  ['columns of figures', 'US  912  899  1.4%  -  3,570\n'.repeat(60)],
  ['capitals', 'THIS AGREEMENT IS MADE BETWEEN THE PARTIES NAMED IN SCHEDULE A. '.repeat(30)],
])('%s', (_, text) => {
  expect(text).toBeEstimatedWithin(2.1)
})

test('an empty text', () => {
  expect(estimateTokens('')).toBe(0)
})

expect.extend({
  toBeEstimatedWithin(text: string, most: number) {
    const ratio = estimateTokens(text) / countTokens(text)
    return {
      pass: ratio >= 1 && ratio <= most,
      message: () => `estimated at ${ratio.toFixed(2)} of the exact count: ${text.slice(0, 200)}`,
    }
  },
})

declare module 'vitest' {
  interface Matchers {
    toBeEstimatedWithin(most: number): void
  }
}
