// What a printed conversation has besides: its title, the date of each question, and its sources in full with their addresses.

import { dateOf } from '../../../src/transcript/markdown.ts'
import { quoteOf, type Source } from '../../../src/transcript/source.ts'
import { t } from '../language/text.tsx'
import { Marked } from '../parts/highlight.tsx'

export const PrintedTitle = ({ title }: { title: string }) => (
  <h1 className="mb-6 hidden text-xl font-semibold print:block">{title}</h1>
)

export const PrintedDate = ({ instant }: { instant: string }) => (
  <p className="mb-3 hidden text-sm text-soft print:block">{dateOf(instant)}</p>
)

export function PrintedSources({ sources }: { sources: readonly Source[] }) {
  return (
    <section className="mt-4 hidden text-sm print:block">
      <h3 className="mb-2 break-after-avoid font-semibold">{t('Sources of the answer')}</h3>
      <ol>
        {sources.map((source) => (
          <li key={source.number} className="mb-3 break-inside-avoid">
            <PrintedSource {...source} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function PrintedSource(source: Source) {
  const { number, title, page, url, state } = source
  if (state === 'deleted' || title === null)
    return (
      <p>
        [{number}] {t('A document that was deleted')}
      </p>
    )
  return (
    <>
      <p className="font-medium">
        [{number}] {page ? t('{title}, page {page}', { title, page }) : title}
      </p>
      <blockquote className="my-1 border-l-2 border-line pl-3 whitespace-pre-line">
        {state === 'changed' ? t('The document has changed since.') : <Marked {...quoteOf(source)} />}
      </blockquote>
      {url && (
        <p className="text-xs break-all">
          <a href={url} className="text-accent">
            {url}
          </a>
        </p>
      )}
    </>
  )
}
