// Makes French and Spanish questions from sentences that state a value. The article of the noun is taken from the sentence. Pure.

import type { DraftQuestion } from './candidate.ts'

// Matches "Le loyer de la cave est de 80 euros par mois".
const FRENCH =
  /^(?<article>Le |La )(?<noun>\p{Ll}[\p{L}-]+(?: (?:de la |de l['’]|du |des |de |d['’])\p{Ll}[\p{L}-]+)?) (?:est|s['’]élève|reste) (?:de |à |fixée? à |d['’]environ )?(?<value>(?:\d|un |une |deux|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|quinze|vingt|trente)(?:.*))$/u
// Matches "La cuota mensual es de 30 euros".
const SPANISH =
  /^(?<article>El|La|Los|Las) (?<noun>\p{Ll}[\p{L}-]+(?: (?:de la |del |de los |de )\p{Ll}[\p{L}-]+)?) (?:es|son|asciende|ascienden) (?:de |a )?(?<value>(?:\d|un |una |dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|quince|veinte|treinta)(?:.*))$/u
// Nouns that only have a meaning together with the sentence before.
const CONTEXT_DEPENDENT =
  /(?<!\p{L})(?:reste|somme|total|différence|nombre|montant|résultat|resto|suma|diferencia|número|importe|resultado|même|mismo)(?!\p{L})/u

/** The question that a French sentence answers. */
export function askInFrench(sentence: string): DraftQuestion | undefined {
  const { article = '', noun = '', value = '' } = FRENCH.exec(sentence)?.groups ?? {}
  const beginning = value.split(/[,;:(]/u)[0] ?? ''
  if (!noun || CONTEXT_DEPENDENT.test(noun) || !/\d|mois|jours?|ans?|semaines?|heures?/u.test(beginning))
    return undefined
  const phrase = `${article.toLowerCase()}${noun}`
  const question =
    article === 'Le ' ? `Quel est ${phrase} ?` : article === 'La ' ? `Quelle est ${phrase} ?` : undefined
  return question
    ? { question, form: 'value', subject: noun, score: 0.6, needsHeading: !noun.includes(' ') }
    : undefined
}

/** The question that a Spanish sentence answers. */
export function askInSpanish(sentence: string): DraftQuestion | undefined {
  const { article = '', noun = '', value = '' } = SPANISH.exec(sentence)?.groups ?? {}
  const beginning = value.split(/[;:(]/u)[0] ?? ''
  if (
    !noun ||
    CONTEXT_DEPENDENT.test(noun) ||
    !/\d|mes(?:es)?|días?|años?|semanas?|horas?|mensualidad/u.test(beginning)
  )
    return undefined
  const phrase = `${article.toLowerCase()} ${noun}`
  const isPlural = /^L[oa]s$/u.test(article)
  const question = `¿${isPlural ? 'Cuáles son' : 'Cuál es'} ${phrase}?`
  return { question, form: 'value', subject: noun, score: 0.6, needsHeading: !noun.includes(' ') }
}

/** The question for a heading: "Que faire en cas de fuite ?" for "En cas de fuite". */
export function askForEventInFrench(heading: string): DraftQuestion | undefined {
  const event = /^En cas (?<event>d(?:e |['’])\p{Ll}+(?: \p{Ll}+){0,3})$/u.exec(heading)?.groups?.event
  return event
    ? { question: `Que faire en cas ${event} ?`, form: 'instructions', subject: event, score: 0.7 }
    : undefined
}

/** The question for a heading: "¿Qué hay que hacer en caso de incendio?" for "En caso de incendio". */
export function askForEventInSpanish(heading: string): DraftQuestion | undefined {
  const event = /^En caso de (?<event>\p{Ll}+(?: \p{Ll}+){0,3})$/u.exec(heading)?.groups?.event
  return event
    ? {
        question: `¿Qué hay que hacer en caso de ${event}?`,
        form: 'instructions',
        subject: event,
        score: 0.7,
      }
    : undefined
}
