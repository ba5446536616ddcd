// How a stem may have been written: a typing error is counted in the letters that were typed, and the index knows stems.

import type { Language } from '../../language/language.ts'
import { stem } from '../../language/stem.ts'
import { withoutAccents } from '../../language/words.ts'

// What English words end with behind their stem: 95 % of the 58,000 words of three collections. With each a word is only
// written as one whose stem it is: "frequenly" is one edit from frequently, and "cariers" none from a form of care.
const ENGLISH = [
  '',
  ...(
    's e ed d es ing r ic al er ation ion ate ated ers rs ly ive able ions ical ating ous ity ically ates ent ' +
    'ations ally ness iness y ized ied ies ily ying ics ant ization ment ings ence ance ize ism izing als ative ful ator or ' +
    'ional ively ely ities ication icate icated icating ised ingly ement ability ible ibly ously izes ably ators ors ants ' +
    'itis ents ivity ently alization ality ments isation ational fully ements ency ences alize alized icity ise ately ives ' +
    'iveness ionally ising ances ancy ibility atively antly edly ications'
  ).split(' '),
]
// Cut, cutting; stop, stopped.
const DOUBLED = ['ed', 'ing', 'er', 'ers']

/**
 * What may be words of this stem, between two lengths, as far as its language's endings are known: itself and with the
 * ending that was typed, in English with all that there are. Whether one is a word of it (`isOfStem`) takes 20 µs, as long
 * as ten comparisons with what was typed: it is asked only of what is near.
 */
export function* writtenForms(
  term: string,
  language: Language,
  { ending, shortest, longest }: { ending: string; shortest: number; longest: number },
): Generator<string> {
  for (const form of language === 'en' ? englishForms(term) : [term, term + ending])
    if (form.length >= shortest && form.length <= longest) yield form
}

/** Each is written without accents. */
export const isOfStem = (form: string, term: string, language: Language): boolean =>
  form === term || withoutAccents(stem(form, language)) === term

function* englishForms(term: string): Generator<string> {
  for (const ending of ENGLISH) yield term + ending
  // City, cities; carry, carried.
  if (term.endsWith('i'))
    for (const ending of ['y', 'ys', 'ying', 'ies', 'ied']) yield term.slice(0, -1) + ending
  const last = term.slice(-1)
  if (/[bdfgklmnprtz]/.test(last)) for (const ending of DOUBLED) yield term + last + ending
}
