// The inspector explains a search: how the query was read, every hit with the rank and score of each leg, and the questions
// that were saved for evaluation.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { message, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { headingPath } from '../parts/heading-path.ts'
import { snippetOf } from '../parts/snippet.ts'
import { Empty, Problem, Skeleton } from '../parts/states.tsx'
import { inspectQuery } from '../queries.ts'
import type { Hit, Inspection } from './explanation.tsx'
import { Bar, figure } from './figures.tsx'
import { SavedQuestions } from './saved-questions.tsx'
import { QuerySummary } from './understood.tsx'
import { WhyPanel } from './why-panel.tsx'

export function InspectPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { q = '', scope, entity, why } = useSearch({ from: '/w/$workspace/inspect' })
  const navigate = useNavigate({ from: '/w/$workspace/inspect' })
  const search = { q, scope, entity }
  const { data, error, refetch, isFetching } = useQuery(inspectQuery(workspace, search))
  const [typedQuery, setTypedQuery] = useState(q)
  useEffect(() => setTypedQuery(q), [q])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void navigate({ search: ({ why: _, ...rest }) => ({ ...rest, q: typedQuery.trim() }) })
  }
  const showExplanation = (chunk: string | undefined): void =>
    void navigate({
      search: ({ why: _, ...rest }) => (chunk ? { ...rest, why: chunk } : rest),
      replace: true,
    })
  return (
    <div className="flex h-full">
      <div className="min-w-0 flex-1 overflow-y-auto">
        <div className="mx-auto max-w-5xl px-4 py-6 md:px-6">
          <h2 className="mb-1 text-lg font-semibold">{t('Inspector')}</h2>
          <p className="mb-4 text-soft">
            {t(
              'What a search does: how it reads the query, how each passage scores, and why it has its rank.',
            )}
          </p>
          <form onSubmit={submit} className="mb-5 flex items-center gap-2">
            <div className="flex min-w-0 flex-1 items-center gap-2 rounded-lg border border-edge/60 bg-paper px-3 focus-within:border-accent">
              <Search size={16} className="shrink-0 text-soft" aria-hidden />
              <input
                type="search"
                aria-label={t('Query to inspect')}
                placeholder={t('A query or a question')}
                value={typedQuery}
                maxLength={2000}
                onChange={(event) => setTypedQuery(event.target.value)}
                className="h-10 min-w-0 flex-1 bg-transparent outline-none placeholder:text-soft"
              />
            </div>
            <Button type="submit" kind="primary" disabled={!typedQuery.trim()}>
              {t('Inspect')}
            </Button>
          </form>
          {error && <Problem error={error} retry={() => void refetch()} />}
          {q && isFetching && !data && <Skeleton lines={8} />}
          {q && data && (
            <>
              <QuerySummary inspection={data} />
              {data.data.length === 0 ? (
                <Empty title={t('Nothing found')}>
                  {t('No passage has these words or something close to them.')}
                </Empty>
              ) : (
                <Hits workspace={workspace} inspection={data} selected={why} show={showExplanation} />
              )}
            </>
          )}
          <SavedQuestions workspace={workspace} />
        </div>
      </div>
      {why && q && (
        <WhyPanel
          workspace={workspace}
          search={search}
          chunk={why}
          close={() => showExplanation(undefined)}
        />
      )}
    </div>
  )
}

const LEGS = [
  { leg: 'words', name: message('Words'), about: message('BM25 of the passage; rank among the candidates') },
  {
    leg: 'document',
    name: message('Document'),
    about: message('BM25 of the whole document; rank among the documents of the candidates'),
  },
  {
    leg: 'meaning',
    name: message('Meaning'),
    about: message('Cosine of the passage with the query; rank by it'),
  },
] as const

/** Where the name was found that led to a passage. */
const originOf = ({ from_rank: rank }: NonNullable<Hit['legs']['second_hop']>): string =>
  rank === null ? t('from further down') : t('from {rank}', { rank })

interface HitsProps {
  workspace: string
  inspection: Inspection
  selected: string | undefined
  show: (chunk: string) => void
}

/** Bars are relative to the best value in their column. */
function Hits({ workspace, inspection: { data }, selected, show: showExplanation }: HitsProps) {
  const bestScore = (leg: (typeof LEGS)[number]['leg']): number =>
    Math.max(...data.map(({ legs }) => legs[leg]?.score ?? 0))
  const usedLegs = LEGS.filter(({ leg }) => data.some(({ legs }) => legs[leg]))
  const hasSecondHop = data.some(({ legs }) => legs.second_hop)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard, too
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div role="group" aria-label={t('Hits')} tabIndex={0} className="mt-5 overflow-x-auto">
      <table className="w-full min-w-2xl text-left text-sm">
        <thead className="text-xs text-soft">
          <tr className="border-b border-line">
            <th scope="col" className="w-8 py-1.5 font-normal">
              <span className="sr-only">{t('Rank')}</span>
            </th>
            <th scope="col" className="py-1.5 font-normal">
              {t('Passage')}
            </th>
            {usedLegs.map(({ leg, name, about }) => (
              <th key={leg} scope="col" title={t(about)} className="w-34 py-1.5 pl-4 font-normal">
                {t(name)}
              </th>
            ))}
            {hasSecondHop && (
              <th
                scope="col"
                className="w-24 py-1.5 pl-4 font-normal"
                title={t('The result with the name by which this passage was found')}
              >
                {t('Second hop')}
              </th>
            )}
            <th scope="col" className="w-16 py-1.5 pl-4 text-right font-normal">
              {t('Score')}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((hit, i) => (
            <tr
              key={hit.chunk.id}
              className={`border-b border-line align-top ${hit.chunk.id === selected ? 'bg-tint' : ''}`}
            >
              <td className="py-2 pl-1 text-soft tabular-nums">{i + 1}</td>
              <td className="max-w-0 min-w-48 py-2 pr-2">
                <Passage workspace={workspace} hit={hit} show={showExplanation} />
              </td>
              {usedLegs.map(({ leg }) => {
                const legScore = hit.legs[leg]
                return (
                  <td key={leg} className="py-2 pl-4">
                    {legScore ? (
                      <>
                        <Bar
                          share={bestScore(leg) > 0 ? legScore.score / bestScore(leg) : 0}
                          label={figure(legScore.score)}
                        />
                        <span className="text-xs text-soft">{t('rank {rank}', { rank: legScore.rank })}</span>
                      </>
                    ) : (
                      <span className="text-soft">–</span>
                    )}
                  </td>
                )
              })}
              {hasSecondHop && (
                <td className="py-2 pl-4">
                  {hit.legs.second_hop ? originOf(hit.legs.second_hop) : <span className="text-soft">–</span>}
                </td>
              )}
              <td className="py-2 pl-4 text-right tabular-nums">{figure(hit.steps.at(-1)?.score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Passage({
  workspace,
  hit,
  show: showExplanation,
}: {
  workspace: string
  hit: Hit
  show: (chunk: string) => void
}) {
  const { chunk, indexed } = hit
  const path = headingPath(indexed.heading, chunk.document_title)
  return (
    <>
      <Link
        to="/w/$workspace/d/$document"
        params={{ workspace, document: chunk.document_id ?? '' }}
        search={{ chunk: chunk.id, ...(chunk.page ? { page: chunk.page } : {}) }}
        className="block truncate font-medium text-accent hover:underline"
      >
        {chunk.document_title}
        {path && ` › ${path}`}
        {chunk.page && (
          <span className="font-normal text-soft"> · {t('page {page}', { page: chunk.page })}</span>
        )}
      </Link>
      <p className="line-clamp-2 break-words text-soft">{snippetOf(chunk.text)}</p>
      <button
        type="button"
        onClick={() => showExplanation(chunk.id)}
        className="mt-0.5 text-accent underline-offset-2 hover:underline"
      >
        {t('Why this result?')}
      </button>
    </>
  )
}
