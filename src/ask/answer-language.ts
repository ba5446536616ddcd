// The language that an answer's own sentences are written in.

import { queryLanguage } from '../language/guess.ts'
import { LANGUAGES } from '../language/language.ts'
import { words } from '../language/words.ts'

export const TONGUES = ['en', 'de', 'fr', 'es'] as const
export type Tongue = (typeof TONGUES)[number]

// What opens questions and stands in no other of the four languages; short questions have few other words to tell by.
const ASKING: Record<Tongue, ReadonlySet<string>> = {
  en: setOf(
    'what which who whom whose when where why how does did is are the was were there any of to for has have between and',
  ),
  de: setOf(
    'was welche welcher welches welchen welchem wer wen wem wessen wann wo wohin woher warum weshalb wie wieviel wieviele womit wofür gibt ist sind kostet der das und',
  ),
  fr: setOf(
    "quel quelle quels quelles qui quoi quand où pourquoi comment combien est-ce qu'est-ce le les est sont du",
  ),
  es: setOf(
    'qué cuál cuáles quién quiénes cuándo dónde cómo cuánto cuánta cuántos cuántas el los las es son del hay',
  ),
}

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** The language of a question, as far as sentences of ours exist in it. */
export function tongueOf(question: string): Tongue {
  if (/[¿¡]/.test(question)) return 'es'
  const said = [...words(question)].map(({ raw }) => raw.toLowerCase())
  const votes = TONGUES.map((tongue) => ({
    tongue,
    n: said.filter((word) => ASKING[tongue].has(word)).length,
  }))
  const [first, second] = votes.sort((a, b) => b.n - a.n)
  if (first && first.n > (second?.n ?? 0)) return first.tongue
  const guessed = queryLanguage(question, LANGUAGES)
  return TONGUES.find((tongue) => tongue === guessed) ?? 'en'
}
