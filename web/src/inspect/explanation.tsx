// Explains the rank of one hit: its scores by words and by meaning, its rank after each step, and the chunk as it is indexed.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Bookmark, BookmarkCheck } from 'lucide-react'
import { useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { message, plural, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { formatCount } from '../parts/format.ts'
import { evaluationQuestionsQuery } from '../queries.ts'
import { api } from '../session.ts'
import { Bar, figure } from './figures.tsx'
import { distinctBy, lackOf, meantWords, reasonOf } from './reason.ts'

export type Inspection = Output<'inspectSearch'>
export type Hit = Inspection['data'][number]
type Step = Hit['steps'][number]['step']

const STEP_NAMES: Record<Step, string> = {
  words: message('Words'),
  document: message('With its document'),
  meaning: message('With meaning'),
  subject: message('Documents named in the query moved up'),
  spread: message('Other documents moved up'),
  second_hop: message('Second hop'),
  reranker: message('Reranking model'),
  rows: message('Duplicates removed, table rows first'),
}

type Origin = Hit['matched'][number]['origin']

/** How a word came into the query that was not typed. */
const ORIGINS: Record<Exclude<Origin, 'typed'>, string> = {
  correction: message('corrected'),
  compound: message('compound'),
  other_language: message('other language'),
}

interface Props {
  workspace: string
  inspection: Inspection
  hit: Hit
}

export function Explanation({ workspace, inspection, hit }: Props) {
  return (
    <div className="space-y-5 text-sm">
      <p className="text-base">
        {[reasonOf(hit), ...meantWords(hit)].join(' ')}{' '}
        <span className="text-soft">{lackOf(hit, inspection)}</span>
      </p>
      <details>
        <summary className="cursor-pointer font-medium">{t('Details')}</summary>
        <div className="mt-4 space-y-5">
          <Shares hit={hit} />
          <Words hit={hit} inspection={inspection} />
          <Steps hit={hit} inspection={inspection} />
          <IndexedPassage hit={hit} />
          <SaveQuestion workspace={workspace} query={inspection.query} hit={hit} />
        </div>
      </details>
    </div>
  )
}

/** Saves the query with this passage as its expected result. */
function SaveQuestion({ workspace, query, hit }: { workspace: string; query: string; hit: Hit }) {
  const queries = useQueryClient()
  const { chunk } = hit
  const save = useMutation({
    mutationFn: () =>
      api.createEvaluationQuestion({
        workspace_id: workspace,
        query,
        document_id: chunk.document_id ?? '',
        chunk_id: chunk.id,
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: evaluationQuestionsQuery(workspace).queryKey }),
  })
  return (
    <div>
      <Button onClick={() => save.mutate()} disabled={save.isPending || save.isSuccess}>
        {save.isSuccess ? <BookmarkCheck size={14} /> : <Bookmark size={14} />}
        {save.isSuccess ? t('Saved') : t('Save as an evaluation question')}
      </Button>
      <p role={save.error ? 'alert' : undefined} className={`mt-1 ${save.error ? 'text-bad' : 'text-soft'}`}>
        {errorText(save.error) ?? t('Saves the query with this passage as its expected result.')}
      </p>
    </div>
  )
}

const heading = 'mb-1.5 font-semibold'

/** The two parts of the score in words. */
function Shares({ hit: { shares } }: { hit: Hit }) {
  const percent = (share: number): string => `${Math.round(share * 100)} %`
  const words = percent(shares.words)
  return (
    <p className="text-soft">
      {shares.meaning === null
        ? t(
            'Its words reach {words} of what the words of the query could reach; it has no vector, so its meaning counts as the average.',
            { words },
          )
        : t(
            'Its words reach {words} of what the words of the query could reach; its meaning adds {meaning}.',
            { words, meaning: percent(shares.meaning) },
          )}
    </p>
  )
}

/** The matched terms as words. A word that is indexed as it is written and as a stem is one line, with the score of both. */
const matchedWords = ({ matched }: Hit) =>
  distinctBy(
    matched.filter(({ word }) => word !== null),
    ({ word }) => word ?? '',
  ).map((term) => ({
    ...term,
    score: matched.reduce((sum, { word, score }) => sum + (word === term.word ? score : 0), 0),
  }))

function Words({ hit, inspection }: { hit: Hit; inspection: Inspection }) {
  const total = hit.legs.words?.score ?? 0
  const missing = lackOf(hit, inspection)
  return (
    <section aria-label={t('Words that matched')}>
      <h3 className={heading}>{t('Words that matched')}</h3>
      {hit.matched.length === 0 ? (
        <p className="text-soft">
          {t('None: the passage was found by its meaning, or by a name in another passage.')}
        </p>
      ) : (
        <table className="w-full text-left">
          <thead className="text-xs text-soft">
            <tr>
              <th scope="col" className="py-1 font-normal">
                {t('Word')}
              </th>
              <th
                scope="col"
                className="py-1 text-right font-normal"
                title={t('The number of passages with the word')}
              >
                {t('Passages')}
              </th>
              <th
                scope="col"
                className="py-1 pl-3 text-right font-normal"
                title={t('How rare the word is (idf of BM25)')}
              >
                {t('Rarity')}
              </th>
              <th scope="col" className="w-2/5 py-1 pl-4 font-normal">
                {t('Share of the score')}
              </th>
            </tr>
          </thead>
          <tbody>
            {matchedWords(hit).map(({ term, word, origin, chunks, idf, score }) => (
              <tr key={term} className="border-t border-line">
                <td className="py-1 pr-2 break-words">
                  {word}
                  {origin !== 'typed' && (
                    <span className="ml-1.5 text-xs text-soft">{t(ORIGINS[origin])}</span>
                  )}
                </td>
                <td className="py-1 text-right tabular-nums">{formatCount(chunks)}</td>
                <td className="py-1 pl-3 text-right tabular-nums">{figure(idf)}</td>
                <td className="py-1 pl-4">
                  <Bar share={total > 0 ? score / total : 0} label={figure(score)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hit.matched.length > 0 && (
        <p className="mt-1.5 text-xs text-soft">
          {t(
            'The rarer a word is in the passages, the more it counts. Other forms of a word count as the word.',
          )}
        </p>
      )}
      {missing && <p className="mt-1.5 text-soft">{missing}</p>}
    </section>
  )
}

function Steps({ hit, inspection }: { hit: Hit; inspection: Inspection }) {
  const stepsByName = new Map(hit.steps.map((place) => [place.step, place]))
  const { second_hop: hop } = hit.legs
  return (
    <section aria-label={t('Steps')}>
      <h3 className={heading}>{t('Step by step')}</h3>
      <table className="w-full text-left">
        <thead className="text-xs text-soft">
          <tr>
            <th scope="col" className="py-1 font-normal">
              {t('After')}
            </th>
            <th scope="col" className="py-1 text-right font-normal">
              {t('Rank')}
            </th>
            <th scope="col" className="w-24 py-1 text-right font-normal">
              {t('Score')}
            </th>
          </tr>
        </thead>
        <tbody>
          {inspection.steps.map((step) => (
            <tr key={step} className="border-t border-line">
              <td className="py-1 pr-2">{t(STEP_NAMES[step])}</td>
              <td className="py-1 text-right tabular-nums">{stepsByName.get(step)?.rank ?? '–'}</td>
              <td className="py-1 text-right tabular-nums">{figure(stepsByName.get(step)?.score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hop && (
        <p className="mt-1.5 text-soft">
          {t('{origin}; {documents}', {
            origin: originOf(hop),
            documents: plural(
              hop.documents,
              '{count} document has the name.',
              '{count} documents have the name.',
            ),
          })}{' '}
          {t('The part of the question that the other passage does not answer scores {score} here.', {
            score: figure(hop.rest),
          })}
        </p>
      )}
    </section>
  )
}

/** Where the name was found that led to a passage. */
function originOf({ from_rank: rank, about }: NonNullable<Hit['legs']['second_hop']>): string {
  if (rank)
    return about
      ? t('Found by a name in result {rank}, which this document is about', { rank })
      : t('Found by a name in result {rank}', { rank })
  return about
    ? t('Found by a name in a passage further down, which this document is about')
    : t('Found by a name in a passage further down')
}

const MAX_FIRST_TERMS = 40

function IndexedPassage({ hit: { indexed } }: { hit: Hit }) {
  const [showsAll, setShowsAll] = useState(false)
  const words = distinctBy(
    indexed.terms.filter(({ word }) => word !== null),
    ({ word }) => word ?? '',
  )
  const shownWords = showsAll ? words : words.slice(0, MAX_FIRST_TERMS)
  return (
    <section aria-label={t('The passage as indexed')}>
      <h3 className={heading}>{t('The passage as indexed')}</h3>
      <dl className="mb-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5">
        <dt className="text-soft">{t('Title')}</dt>
        <dd>{indexed.title}</dd>
        {indexed.heading && (
          <>
            <dt className="text-soft">{t('Headings')}</dt>
            <dd>{indexed.heading}</dd>
          </>
        )}
        <dt className="text-soft">{t('Language')}</dt>
        <dd>{indexed.language}</dd>
      </dl>
      <pre className="rounded-md bg-back p-3 font-mono text-xs break-words whitespace-pre-wrap">
        {indexed.text}
      </pre>
      <h4 className="mt-3 mb-1 text-soft">
        {plural(
          words.length,
          '{count} word or pair of words, the one with the greatest weight first',
          '{count} words and pairs of words, those with the greatest weight first',
        )}
      </h4>
      <ul className="flex flex-wrap gap-1">
        {shownWords.map(({ word, weight }) => (
          <li
            key={word}
            title={figure(weight)}
            className="rounded border border-line px-1.5 text-xs leading-5"
          >
            {word}
          </li>
        ))}
      </ul>
      {!showsAll && words.length > MAX_FIRST_TERMS && (
        <Button kind="quiet" className="mt-1 -ml-3" onClick={() => setShowsAll(true)}>
          {t('Show all words')}
        </Button>
      )}
    </section>
  )
}
