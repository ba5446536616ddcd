// A conversation that a member shares: read, not continued. Whether the reader may see it is asked each time.

import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { sourcesOf } from '../../../src/transcript/source.ts'
import { t } from '../language/text.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { membershipQuery, sharedThreadQuery } from '../queries.ts'
import { Answer } from './answer.tsx'
import { PrintedDate } from './print-parts.tsx'
import { Withdraw } from './share.tsx'
import { TakeAlong } from './take-along.tsx'

export function SharedPage() {
  const { workspace, thread } = useParams({ from: '/w/$workspace/shared/$thread' })
  const { data, error, refetch } = useQuery(sharedThreadQuery(workspace, thread))
  const { data: membership } = useQuery(membershipQuery(workspace))
  if (error) return <Problem error={error} retry={() => void refetch()} page />
  return (
    <div className="h-full overflow-y-auto">
      <div data-print-area className="mx-auto max-w-[46rem] px-4 py-6 md:px-6">
        {!data && <Skeleton lines={6} />}
        {data && (
          <>
            <h1 className="mb-1 text-lg font-semibold">{data.title}</h1>
            <p className="mb-6 text-sm text-soft print:hidden">
              {t('A conversation that a member of this workspace shares')}
            </p>
            {data.turns.map(({ number, question, answer, value, citations, created_at }) => {
              const sources = sourcesOf(citations)
              const open = (of: number): void => {
                const url = sources.find((source) => source.number === of)?.url
                if (url) location.assign(url)
              }
              return (
                <article key={number} className="mb-10">
                  <h2 className="mb-3 text-lg leading-snug font-semibold whitespace-pre-line">{question}</h2>
                  <PrintedDate instant={created_at} />
                  <Answer answer={answer} value={value} sources={sources} open={open} />
                </article>
              )
            })}
            <div className="print:hidden">
              {membership?.role === 'owner' && (
                <Withdraw workspace={workspace} thread={thread} done={() => void refetch()} />
              )}
              <TakeAlong title={data.title} turns={data.turns} />
            </div>
          </>
        )}
      </div>
    </div>
  )
}
