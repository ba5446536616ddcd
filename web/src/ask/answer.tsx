// An answer with its citation marks, its sources below, and what can be done with it.

import { Copy } from 'lucide-react'
import { useCallback } from 'react'
import { Button } from '../parts/button.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { announce } from '../parts/toast.tsx'

export interface Source {
  number: number
  title: string | null
  page: number | null
  text: string | null
  /** Of a source that cannot be opened any more. */
  gone?: 'changed' | 'deleted'
}

interface Props {
  answer: string
  sources: readonly Source[]
  open: (number: number) => void
  opened?: number | undefined
}

export function Answer({ answer, sources, open, opened }: Props) {
  const citation = useCallback(
    (number: number, key: string) => {
      const source = sources.find((one) => one.number === number)
      if (!source) return `[${number}]`
      const name = `Source ${number}${source.title ? `: ${source.title}` : ''}${source.page ? `, page ${source.page}` : ''}`
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
    const list = sources.map(
      ({ number, title, page }) => `[${number}] ${title ?? 'deleted'}${page ? `, page ${page}` : ''}`,
    )
    await navigator.clipboard.writeText([answer, ...(list.length ? ['', ...list] : [])].join('\n'))
    announce('Answer and sources were copied.')
  }
  const isSupported = sources.length > 0
  return (
    <div className={isSupported ? '' : 'rounded-lg border border-line p-4'}>
      {!isSupported && (
        <div className="mb-2 text-xs font-medium tracking-wide text-soft">No source in the documents</div>
      )}
      <Markdown text={answer} citation={citation} />
      {isSupported && (
        <ul aria-label="Sources" className="mt-3 grid gap-2 sm:grid-cols-2">
          {sources.map((source) => (
            <li key={source.number}>
              <button
                type="button"
                onClick={() => open(source.number)}
                aria-pressed={opened === source.number}
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
                  <span className="line-clamp-2 text-soft">
                    {source.gone === 'changed' ? 'The document has changed since.' : source.text}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2 flex gap-1">
        <Button kind="quiet" onClick={() => void copy()}>
          <Copy size={14} /> Copy with sources
        </Button>
      </div>
    </div>
  )
}
