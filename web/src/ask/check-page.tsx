// Check a text: each sentence of a draft, marked by what the documents say of it, with the passages that say so.

import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Check, CircleHelp, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { message, plural, t } from '../language/text.tsx'
import { buttonClass } from '../parts/button.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { api } from '../session.ts'

type Sentence = Output<'checkText'>['data'][number]
type Verdict = Sentence['verdict']

const MAX_LENGTH = 50_000

const MARKS = {
  supported: { label: message('Supported'), colour: 'text-good', Icon: Check },
  contradicted: { label: message('Contradicted'), colour: 'text-bad', Icon: X },
  not_found: { label: message('Not found'), colour: 'text-soft', Icon: CircleHelp },
} as const

export function CheckPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const [text, setText] = useState('')
  const checking = useMutation({
    mutationFn: (draft: string) => api.checkText({ workspace_id: workspace, text: draft }),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim()) checking.mutate(text)
  }
  const { data } = checking
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto max-w-[46rem] px-4 py-6 md:px-6">
        <h1 className="mb-1 text-lg font-semibold">{t('Check a text against the documents')}</h1>
        <p className="mb-4 text-soft">
          {t(
            'Each sentence is marked as supported or contradicted where a passage says so, else as not found.',
          )}
        </p>
        <form onSubmit={submit}>
          <textarea
            aria-label={t('Text to check')}
            rows={8}
            maxLength={MAX_LENGTH}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              // Verdicts of another text would mislead.
              if (!checking.isPending) checking.reset()
            }}
            className="w-full rounded-lg border border-edge/60 bg-paper p-3 outline-none focus-visible:border-accent"
          />
          <button
            type="submit"
            disabled={!text.trim() || checking.isPending}
            className={buttonClass('primary', 'mt-2')}
          >
            {t('Check')}
          </button>
        </form>
        {checking.error && <Problem error={checking.error} retry={() => checking.mutate(text)} />}
        {checking.isPending && <Skeleton lines={6} />}
        {data && (
          <>
            <p role="status" className="mt-6 mb-2 text-sm text-soft">
              {data.data.length === 0
                ? t('The text has no sentence that states something.')
                : t('{sentences}: {supported} supported, {contradicted} contradicted, {missing} not found', {
                    sentences: plural(data.data.length, 'sentence'),
                    supported: data.supported,
                    contradicted: data.contradicted,
                    missing: data.not_found,
                  })}
            </p>
            <ol className="divide-y divide-line">
              {data.data.map((sentence) => (
                <SentenceView key={sentence.start} sentence={sentence} />
              ))}
            </ol>
          </>
        )}
      </div>
    </div>
  )
}

function SentenceView({ sentence: { text, verdict, passages } }: { sentence: Sentence }) {
  return (
    <li className="py-3">
      <Mark verdict={verdict} />
      <p className="mt-1">{text}</p>
      {passages.length > 0 && (
        <ul className="mt-2 space-y-2 border-l-2 border-line pl-3 text-sm">
          {passages.map((passage) => (
            <li key={`${passage.chunk_id} ${passage.text}`}>
              <Source passage={passage} />
              <blockquote className="text-soft">{passage.text}</blockquote>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function Source({
  passage: { document_title, page, source_url },
}: {
  passage: Sentence['passages'][number]
}) {
  const name = page === null ? document_title : t('{title}, page {page}', { title: document_title, page })
  if (source_url === null) return <span className="font-medium">{name}</span>
  return (
    <a href={source_url} className="font-medium text-accent hover:underline">
      {name}
    </a>
  )
}

function Mark({ verdict }: { verdict: Verdict }) {
  const { label, colour, Icon } = MARKS[verdict]
  return (
    <span className={`inline-flex items-center gap-1 text-sm font-medium ${colour}`}>
      <Icon size={14} aria-hidden /> {t(label)}
    </span>
  )
}
