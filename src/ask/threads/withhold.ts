// What of an old answer may still be read: an answer quotes its documents, so what only a deleted one vouches for goes
// with it. Pure.

import { guessLanguage } from '../../language/guess.ts'
import { blocksOf, findMarkers, type MarkerGroup } from '../citations/markers.ts'

const NOTES: Record<string, string> = {
  en: 'Withheld: a document cited here was deleted.',
  de: 'Nicht mehr lesbar: Ein hier zitiertes Dokument wurde gelöscht.',
  fr: 'Retiré : un document cité ici a été supprimé.',
  es: 'Retirado: se eliminó un documento citado aquí.',
}

/**
 * The answer without the paragraphs and list items that cite one of the `gone` numbers, and without those that cite
 * nothing, since nobody can tell what they come from. In place of the former stands a note with their markers, so
 * that every number keeps its citation.
 */
export function withhold(answer: string, gone: ReadonlySet<number>): string {
  if (gone.size === 0) return answer
  const note = `*${NOTES[guessLanguage(answer)] ?? NOTES.en}*`
  const groups = findMarkers(answer)
  let out = ''
  let from = 0
  for (const block of blocksOf(answer)) {
    const cited = numbersIn(groups, block)
    out += answer.slice(from, block.start)
    if (cited.some((number) => gone.has(number))) out += `${note} ${cited.map((n) => `[${n}]`).join('')}`
    else if (cited.length) out += answer.slice(block.start, block.end)
    from = block.end
  }
  // Between blocks stand list signs and empty lines only: definitions and HTML are blocks as well.
  return (out + answer.slice(from)).replace(/\n{3,}/g, '\n\n').trim()
}

const numbersIn = (groups: readonly MarkerGroup[], block: { start: number; end: number }): number[] => [
  ...new Set(
    groups
      .filter(({ start, end }) => start >= block.start && end <= block.end)
      .flatMap(({ numbers }) => numbers),
  ),
]

/** The answer as it was said, for a mind that goes on from it: its numbers mean nothing in the next answer. */
export function withoutMarkers(answer: string): string {
  return findMarkers(answer)
    .reduceRight((text, { start, end }) => `${text.slice(0, start).trimEnd()}${text.slice(end)}`, answer)
    .trim()
}
