// How the query was read: its terms with their weights, corrections, and filters.

import type { ReactNode } from 'react'
import { locale } from '../language/locale.ts'
import { message, plural, t } from '../language/text.tsx'
import { formatList } from '../parts/format.ts'
import type { Inspection } from './explanation.tsx'
import { figure } from './figures.tsx'
import { distinctBy, wordsOf } from './reason.ts'

const CANDIDATE_SOURCES: Record<Inspection['candidates']['from'], string> = {
  all: message('every passage was scored'),
  index: message('candidates came from the index'),
  phrase: message('candidates are the passages with the quoted words'),
  literal: message('the query has only stop words, so the text was searched for it as it is written'),
  none: message('no passage has any of the words'),
}

const MEANING_USES: Record<Inspection['understood']['meaning'], string> = {
  none: message('not used'),
  strong: message('also finds passages without the words'),
}

export function QuerySummary({ inspection }: { inspection: Inspection }) {
  const { understood } = inspection
  const {
    terms,
    corrections,
    phrases,
    phrases_not_found: missingPhrases,
    languages,
    meaning,
    embedder,
  } = understood
  return (
    <section aria-label={t('How the query was read')} className="rounded-lg border border-line p-4 text-sm">
      <h2 className="mb-2 font-semibold">{t('How the query was read')}</h2>
      <ul className="mb-3 flex flex-wrap gap-1.5" aria-label={t('Terms')}>
        {distinctBy(
          terms.filter(({ word }) => word !== null),
          ({ word }) => word ?? '',
        ).map(({ term, word, origin, weight, chunks: chunkCount, idf }) => (
          <li
            key={term}
            title={t('weight {weight}, idf {idf}, in {passages}', {
              weight: figure(weight),
              idf: figure(idf),
              passages: plural(chunkCount, 'passage'),
            })}
            className={`rounded-md border px-2 py-0.5 ${chunkCount > 0 ? 'border-edge/60' : 'border-dashed border-line text-soft'}`}
          >
            {word}
            <span className="ml-1.5 text-xs text-soft tabular-nums">
              {chunkCount > 0 ? plural(chunkCount, 'passage') : t('in no passage')}
              {origin === 'correction' && ` · ${t('corrected')}`}
              {origin === 'compound' && ` · ${t('compound')}`}
            </span>
          </li>
        ))}
        {terms.length === 0 && <li className="text-soft">{t('no terms')}</li>}
      </ul>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {corrections.map(({ typed, terms: correctedTerms }) => {
          const words = wordsOf(terms.filter(({ term }) => correctedTerms.includes(term)))
          return (
            words.length > 0 && (
              <Line key={typed} name={t('Corrected')}>
                {t('“{typed}” to {terms}', { typed, terms: alternatives.format(words) })}
              </Line>
            )
          )
        })}
        {missingPhrases.length > 0 && (
          <Line name={t('In no passage')}>
            {t('{phrases}: treated as single words', { phrases: quotedList(missingPhrases) })}
          </Line>
        )}
        {phrases.length > missingPhrases.length && (
          <Line name={t('Must contain')}>{quotedList(phrases)}</Line>
        )}
        {understood.scope !== null && <Line name={t('Only in')}>{understood.scope}</Line>}
        {understood.entity_ids.length > 0 && (
          <Line name={t('Only passages that mention')}>
            {plural(understood.entity_ids.length, 'entity', 'entities')}
          </Line>
        )}
        <Line name={t('Language')}>{formatList(languages.map(languageName)) || '–'}</Line>
        <Line name={t('Meaning')}>
          {t(MEANING_USES[meaning])}
          {embedder && ` (${embedder})`}
        </Line>
        <Line name={t('Second hop')}>
          {understood.second_hop ? t('names in the best passages were followed') : t('not used')}
        </Line>
        <Line name={t('Searched')}>{searchedText(inspection)}</Line>
      </dl>
    </section>
  )
}

/** Such as "120 passages of 9 documents; candidates came from the index, 40 ranked". */
function searchedText({ understood, candidates, near_duplicates: nearDuplicates }: Inspection): string {
  const steps = [
    t(CANDIDATE_SOURCES[candidates.from]),
    plural(candidates.ranked, '{count} ranked', '{count} ranked'),
    ...(nearDuplicates > 0
      ? [plural(nearDuplicates, '{count} near-duplicate left out', '{count} near-duplicates left out')]
      : []),
  ]
  return t('{passages} of {documents}; {steps}', {
    passages: plural(understood.chunks, 'passage'),
    documents: plural(understood.documents, 'document'),
    steps: formatList(steps),
  })
}

const alternatives = new Intl.ListFormat(locale, { type: 'disjunction' })
const quotedList = (phrases: readonly string[]): string =>
  formatList(phrases.map((phrase) => t('“{phrase}”', { phrase })))

const names = new Intl.DisplayNames(locale, { type: 'language' })
const languageName = (code: string): string =>
  code === 'xx' ? t('another language') : (names.of(code) ?? code)

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
