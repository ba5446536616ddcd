// How the query was read: its terms with their weights, corrections, and filters.

import type { ReactNode } from 'react'
import { plural } from '../language/text.tsx'
import { formatCount } from '../parts/format.ts'
import type { Inspection } from './explanation.tsx'
import { figure } from './figures.tsx'

const CANDIDATE_SOURCES: Record<Inspection['candidates']['from'], string> = {
  all: 'every passage was scored',
  index: 'candidates came from the index',
  phrase: 'candidates are the passages with the quoted words',
  literal: 'the query has only stop words, so the text was searched for it as it is written',
  none: 'no passage has any of the words',
}

const MEANING_USES: Record<Inspection['understood']['meaning'], string> = {
  none: 'not used',
  strong: 'also finds passages without the words',
}

export function QuerySummary({ inspection }: { inspection: Inspection }) {
  const { understood, candidates, near_duplicates: nearDuplicates } = inspection
  const {
    terms,
    corrections,
    phrases,
    phrases_not_found: missingPhrases,
    languages,
    meaning,
    embedder,
    chunks,
    documents,
  } = understood
  return (
    <section aria-label="How the query was read" className="rounded-lg border border-line p-4 text-sm">
      <h2 className="mb-2 font-semibold">How the query was read</h2>
      <ul className="mb-3 flex flex-wrap gap-1.5" aria-label="Terms">
        {terms.map(({ term, origin, weight, chunks: chunkCount, idf }) => (
          <li
            key={term}
            title={`weight ${figure(weight)}, idf ${figure(idf)}, in ${plural(chunkCount, 'passage')}`}
            className={`rounded-md border px-2 py-0.5 ${chunkCount > 0 ? 'border-edge/60' : 'border-dashed border-line text-soft'}`}
          >
            {term}
            <span className="ml-1.5 text-xs text-soft tabular-nums">
              {chunkCount > 0 ? `idf ${figure(idf)}` : 'in no passage'}
              {weight !== 1 && chunkCount > 0 && ` × ${figure(weight)}`}
              {origin === 'correction' && ' · corrected'}
              {origin === 'compound' && ' · compound'}
            </span>
          </li>
        ))}
        {terms.length === 0 && <li className="text-soft">no terms</li>}
      </ul>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {corrections.map(({ typed, terms: correctedTerms }) => (
          <Line key={typed} name="Corrected">
            “{typed}” to {correctedTerms.join(' or ')}
          </Line>
        ))}
        {missingPhrases.length > 0 && (
          <Line name="In no passage">
            {missingPhrases.map((one) => `“${one}”`).join(', ')}: treated as single words
          </Line>
        )}
        {phrases.length > missingPhrases.length && (
          <Line name="Must contain">{phrases.map((one) => `“${one}”`).join(', ')}</Line>
        )}
        {understood.scope !== null && <Line name="Only in">{understood.scope}</Line>}
        {understood.entity_ids.length > 0 && (
          <Line name="Only passages that mention">
            {plural(understood.entity_ids.length, 'entity', 'entities')}
          </Line>
        )}
        <Line name="Language">{languages.map(languageName).join(', ') || '–'}</Line>
        <Line name="Meaning">
          {MEANING_USES[meaning]}
          {embedder && ` (${embedder})`}
        </Line>
        <Line name="Second hop">
          {understood.second_hop ? 'names in the best passages were followed' : 'not used'}
        </Line>
        <Line name="Searched">
          {plural(chunks, 'passage')} of {plural(documents, 'document')}; {CANDIDATE_SOURCES[candidates.from]}
          , {formatCount(candidates.ranked)} ranked
          {nearDuplicates > 0 && `, ${plural(nearDuplicates, 'near-duplicate')} left out`}
        </Line>
      </dl>
    </section>
  )
}

const names = new Intl.DisplayNames('en', { type: 'language' })
const languageName = (code: string): string => (code === 'xx' ? 'another language' : (names.of(code) ?? code))

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
