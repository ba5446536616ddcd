// What is said to be polite and asks nothing: it is answered in kind, without a search. English, German, French, Spanish. Pure.

import type { Tongue } from '../answer-language.ts'

export type Courtesy = 'hello' | 'thanks'

const CLOSE = String.raw`(?:[\p{P}\s]|\p{Extended_Pictographic})*`
// What may stand around the greeting: "ok thanks", "hello Kenning", "thank you very much for the help".
const courtesies: Record<Courtesy, Record<Tongue, string>> = {
  hello: {
    en: '(?:hi|hello|hey|good (?:morning|afternoon|evening|day))(?: (?:there|kenning|everyone|all|again))?',
    de: '(?:hallo|guten (?:morgen|tag|abend)|moin|servus|grüß gott)(?: (?:kenning|zusammen|alle))?',
    fr: '(?:bonjour|bonsoir|salut|coucou)(?: (?:kenning|à tous))?',
    es: '(?:hola|buenos días|buenas (?:tardes|noches)|buenas)(?: kenning)?',
  },
  thanks: {
    en: '(?:(?:ok|okay|great|perfect|good|nice)[,.!]? )?(?:thanks|thank you|thx|cheers)(?: (?:a lot|very much|so much|again|kenning))?(?: for (?:your|the) (?:help|answer))?',
    de: '(?:(?:ok|okay|super|prima|gut|perfekt)[,.!]? )?(?:danke|vielen dank|herzlichen dank|besten dank|dankeschön)(?: (?:schön|sehr|dir|ihnen|kenning))?(?: für (?:die|deine|ihre) (?:hilfe|antwort))?',
    fr: "(?:(?:ok|super|parfait)[,.!]? )?merci(?: (?:beaucoup|bien|infiniment))?(?: pour (?:votre|ton|l[’']) ?(?:aide|réponse))?",
    es: '(?:(?:ok|vale|perfecto|genial)[,.!]? )?(?:muchas |mil )?gracias(?: por (?:tu|su|la) (?:ayuda|respuesta))?',
  },
}

/** The courtesy that a message is and the language it is said in; undefined for one that asks anything. */
export function courtesyOf(message: string): { courtesy: Courtesy; tongue: Tongue } | undefined {
  for (const courtesy of ['hello', 'thanks'] as const)
    for (const tongue of ['en', 'de', 'fr', 'es'] as const) {
      const whole = new RegExp(`^[¡\\s]*${courtesies[courtesy][tongue]}${CLOSE}$`, 'iu')
      if (whole.test(message)) return { courtesy, tongue }
    }
  return undefined
}
