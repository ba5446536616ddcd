// An answer with its citation marks, its sources below, and its actions.

import { Copy, SearchX } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { answerMarkdown } from '../../../src/transcript/answer-markdown.ts'
import type { Source } from '../../../src/transcript/source.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { citedTextOf } from '../parts/snippet.ts'
import { announce } from '../parts/toast.tsx'
import { MARK, QUIET_MARK } from './mark.ts'
import { PrintedSources } from './print-parts.tsx'
import { AnswerText } from './written-answer.tsx'

interface Props {
  answer: string
  /** The value that the question asks for, with the number of its source. */
  value?: { text: string; citation: number } | undefined
  isValueAbove?: boolean
  sources: readonly Source[]
  open: (number: number) => void
  opened?: number | undefined
  /** Shown instead of sources, below an answer without any. */
  unsupported?: ReactNode
  /** Additional actions, and the content that belongs to them. */
  actions?: ReactNode
  below?: ReactNode
}

/** What a screen reader reads for a citation mark. */
function nameOf({ number, title, page }: Source): string {
  if (title)
    return page
      ? t('Source {number}: {title}, page {page}', { number, title, page })
      : t('Source {number}: {title}', { number, title })
  return page ? t('Source {number}, page {page}', { number, page }) : t('Source {number}', { number })
}

export function Answer({
  answer,
  value,
  isValueAbove = true,
  sources,
  open,
  opened,
  unsupported,
  actions,
  below,
}: Props) {
  const citation = useCallback(
    (number: number, key: string) => {
      const source = sources.find((one) => one.number === number)
      if (!source) return `[${number}]`
      const name = nameOf(source)
      return (
        <button
          key={key}
          type="button"
          title={source.text ?? name}
          aria-label={name}
          onClick={() => open(number)}
          className={`${MARK} ${
            opened === number
              ? 'bg-accent text-on-accent'
              : `${QUIET_MARK} hover:bg-accent hover:text-on-accent`
          }`}
        >
          {number}
        </button>
      )
    },
    [sources, open, opened],
  )
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(answerMarkdown(answer, sources))
    announce(isSupported ? t('Answer and sources were copied.') : t('The answer was copied.'))
  }
  const isSupported = sources.length > 0
  const text = <AnswerText text={answer} value={value} isValueAbove={isValueAbove} citation={citation} />
  return (
    <div>
      {isSupported || unsupported === undefined ? (
        text
      ) : (
        <section aria-label={t('Not in the documents')} className="rounded-lg border border-edge p-4">
          <h3 className="mb-2 flex items-center gap-1.5 text-sm font-semibold">
            <SearchX size={15} aria-hidden /> {t('Not in the documents')}
          </h3>
          {text}
          <div className="print:hidden">{unsupported}</div>
        </section>
      )}
      {isSupported && (
        <ul aria-label={t('Sources of the answer')} className="mt-3 grid gap-2 sm:grid-cols-2 print:hidden">
          {sources.map((source) => (
            <li
              key={source.number}
              className={`relative flex min-w-0 gap-2.5 rounded-lg border p-2.5 text-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent hover:border-edge ${opened === source.number ? 'border-accent bg-tint' : 'border-line'}`}
            >
              <span aria-hidden className="text-xs leading-5 font-medium text-accent tabular-nums">
                {source.number}
              </span>
              <div className="min-w-0 flex-1">
                {/* The link's name is short, but the whole card can be clicked. */}
                <button
                  type="button"
                  onClick={() => open(source.number)}
                  aria-pressed={opened === source.number}
                  title={source.title ?? undefined}
                  className="block w-full truncate text-left font-medium outline-none after:absolute after:inset-0"
                >
                  <span className="sr-only">{t('Source {number}:', { number: source.number })} </span>
                  {source.state === 'deleted' ? t('A document that was deleted') : source.title}
                  {source.page && (
                    <span className="font-normal text-soft">
                      {' '}
                      · {t('page {page}', { page: source.page })}
                    </span>
                  )}
                </button>
                <p className="line-clamp-2 text-soft">
                  {source.state === 'changed' ? t('The document has changed since.') : citedTextOf(source)}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {isSupported && <PrintedSources sources={sources} />}
      <div className="mt-2 -ml-3 flex flex-wrap gap-1 print:hidden">
        <Button kind="quiet" onClick={() => void copy()}>
          <Copy size={14} /> {isSupported ? t('Copy with sources') : t('Copy')}
        </Button>
        {actions}
      </div>
      <div className="print:hidden">{below}</div>
    </div>
  )
}
