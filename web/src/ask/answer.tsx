// An answer with its citation marks, its sources below, and what can be done with it.

import { Copy, SearchX } from 'lucide-react'
import { type ReactNode, useCallback, useId } from 'react'
import { Button } from '../parts/button.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { snippetOf } from '../parts/snippet.ts'
import { announce } from '../parts/toast.tsx'
import { answerMarkdown } from './answer-markdown.ts'

export interface Source {
  number: number
  title: string | null
  page: number | null
  text: string | null
  /** Where a person can open it. */
  url: string | null
  /** Of a source that cannot be opened any more. */
  gone?: 'changed' | 'deleted'
}

const nameOf = ({ number, title, page }: Source): string =>
  `Source ${number}${title ? `: ${title}` : ''}${page ? `, page ${page}` : ''}`

interface Props {
  answer: string
  sources: readonly Source[]
  open: (number: number) => void
  opened?: number | undefined
  /** What stands instead of sources below an answer without any. */
  unsupported?: ReactNode
  /** Further things to do with it, and what belongs to those. */
  actions?: ReactNode
  below?: ReactNode
}

export function Answer({ answer, sources, open, opened, unsupported, actions, below }: Props) {
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
          className={`mx-0.5 inline-flex min-w-5 -translate-y-px items-center justify-center rounded px-1 font-sans text-xs leading-5 font-medium tabular-nums ${
            opened === number
              ? 'bg-accent text-on-accent'
              : 'bg-tint text-accent hover:bg-accent hover:text-on-accent'
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
    announce(isSupported ? 'Answer and sources were copied.' : 'The answer was copied.')
  }
  const isSupported = sources.length > 0
  const id = useId()
  return (
    <div>
      {isSupported || unsupported === undefined ? (
        <Markdown text={answer} citation={citation} />
      ) : (
        <section aria-label="Not in the documents" className="rounded-lg border border-edge p-4">
          <h3 className="mb-2 flex items-center gap-1.5 text-sm font-semibold">
            <SearchX size={15} aria-hidden /> Not in the documents
          </h3>
          <Markdown text={answer} citation={citation} />
          {unsupported}
        </section>
      )}
      {isSupported && (
        <ul aria-label="Sources" className="mt-3 grid gap-2 sm:grid-cols-2">
          {sources.map((source) => (
            <li key={source.number} className="min-w-0">
              <button
                type="button"
                onClick={() => open(source.number)}
                aria-pressed={opened === source.number}
                aria-label={nameOf(source)}
                aria-describedby={`${id}-${source.number}`}
                className={`flex h-full w-full gap-2.5 rounded-lg border p-2.5 text-left text-sm hover:border-edge ${opened === source.number ? 'border-accent bg-tint' : 'border-line'}`}
              >
                <span className="text-xs leading-5 font-medium text-accent tabular-nums">
                  {source.number}
                </span>
                <span className="min-w-0">
                  <span className="block truncate font-medium">
                    {source.gone === 'deleted' ? 'A document that was deleted' : source.title}
                    {source.page && <span className="font-normal text-soft"> · page {source.page}</span>}
                  </span>
                  <span id={`${id}-${source.number}`} className="line-clamp-2 text-soft">
                    {source.gone === 'changed'
                      ? 'The document has changed since.'
                      : snippetOf(source.text ?? '')}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2 -ml-3 flex flex-wrap gap-1">
        <Button kind="quiet" onClick={() => void copy()}>
          <Copy size={14} /> {isSupported ? 'Copy with sources' : 'Copy'}
        </Button>
        {actions}
      </div>
      {below}
    </div>
  )
}
