// What the page to ask shows before the first question: questions that the documents answer, and what kind of answers there are.

import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery } from '../account/queries.ts'
import { rich, t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'
import { api } from '../session.ts'

const POLL_MS = 1000
// The worker may be reading a thousand files. Questions that take longer are there on the next visit.
const MAX_POLLS = 60

const suggestedQuestionsQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['workspace', workspace, 'suggested-questions'],
    queryFn: ({ signal }) => api.listSuggestedQuestions({ workspace_id: workspace }, { signal }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.pending && dataUpdateCount < MAX_POLLS ? POLL_MS : false,
  })

/** Up to three questions to begin with. Grey lines while they are made, nothing if there are none. */
export function Suggestions({ workspace, ask }: { workspace: string; ask: (question: string) => void }) {
  const { data, error, isPending } = useQuery(suggestedQuestionsQuery(workspace))
  const questions = data?.data ?? []
  if (questions.length === 0 && !error && (isPending || data?.pending))
    return (
      <div role="status" aria-label={t('Questions are being found')} className="animate-pulse space-y-2">
        {['w-64', 'w-80', 'w-56'].map((width) => (
          <div key={width} className={`h-8 max-w-full rounded-md bg-line ${width}`} />
        ))}
      </div>
    )
  if (questions.length === 0) return null
  return (
    <ul aria-label={t('Suggested questions')} className="flex flex-col items-start gap-2">
      {questions.map(({ question }) => (
        <li key={question} className="max-w-full">
          <button
            type="button"
            className={buttonClass('plain', 'text-left whitespace-normal!')}
            onClick={() => ask(question)}
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Says that answers are quotations, as long as no language model is connected. Administrators can connect one. */
export function KindOfAnswers({ workspace }: { workspace: string }) {
  const { data } = useQuery(suggestedQuestionsQuery(workspace))
  const { data: account } = useQuery(accountQuery)
  if (data?.answers !== 'quotations') return null
  return (
    <p className="mt-6 text-sm text-soft">
      {account?.admin
        ? rich('Answers are quotations from the documents. {link} to have them written out.', {
            link: (
              <Link to="/models" className="text-accent hover:underline">
                {t('Connect a language model')}
              </Link>
            ),
          })
        : t('Answers are quotations from the documents.')}
    </p>
  )
}
