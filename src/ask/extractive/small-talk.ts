// Recognises greetings and thanks, which are answered without a search. English, German, French, Spanish. Pure.

import type { AnswerLanguage } from '../answer-language.ts'

export type SmallTalk = 'hello' | 'thanks'

const PUNCTUATION_OR_EMOJI = String.raw`(?:[\p{P}\s]|\p{Extended_Pictographic})*`
// The phrases, with words that may precede or follow them: "ok thanks", "hello Kenning", "thank you very much for the help".
const PHRASES: Record<SmallTalk, Record<AnswerLanguage, string>> = {
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

/** The kind of small talk and its language. Undefined for any other message. */
export function smallTalkIn(message: string): { kind: SmallTalk; language: AnswerLanguage } | undefined {
  for (const kind of ['hello', 'thanks'] as const)
    for (const language of ['en', 'de', 'fr', 'es'] as const) {
      const wholeMessage = new RegExp(`^[¡\\s]*${PHRASES[kind][language]}${PUNCTUATION_OR_EMOJI}$`, 'iu')
      if (wholeMessage.test(message)) return { kind, language }
    }
  return undefined
}
