// The agent's steps one by one, or one line when it has finished.

import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { language, locale } from '../language/locale.ts'
import { message, plural, t } from '../language/text.tsx'
import type { Step } from './use-asking.ts'

const seconds = (ms: number): string =>
  `${(ms / 1000).toLocaleString(locale, { maximumFractionDigits: 1 })} s`

const NAMES: Record<Step['type'], string> = {
  search: message('Searching the documents'),
  read: message('Reading passages'),
  graph: message('Following relations'),
  think: message('Thinking'),
  answer: message('Writing the answer'),
}

/** The service names its steps in English. In another language each kind of step has a name. */
const nameOf = ({ type, label }: Step): string => (language === 'en' ? label : t(NAMES[type]))

/** Such as "searched 3 times, 1.2 s". */
function summaryOf(steps: readonly Step[]): string {
  const count = steps.filter(({ type }) => type === 'search').length
  const searches =
    count === 1 ? t('searched once') : plural(count, 'searched {count} time', 'searched {count} times')
  const lastStep = steps.at(-1)
  return lastStep
    ? t('{searches}, {duration}', { searches, duration: seconds(lastStep.elapsed_ms) })
    : searches
}

export function Steps({ steps, running }: { steps: readonly Step[]; running: boolean }) {
  const [open, setOpen] = useState(false)
  const lastStep = steps.at(-1)
  const runningStep = lastStep ? nameOf(lastStep) : t('Asking')
  const summary = running ? runningStep : summaryOf(steps)
  return (
    <div className="mb-2 text-sm text-soft print:hidden">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex items-center gap-1 hover:text-ink"
      >
        <ChevronRight
          size={14}
          className={`transition-transform duration-100 ${open ? 'rotate-90' : ''}`}
          aria-hidden
        />
        <span aria-live="polite">{summary}</span>
        {running && <span className="ml-1 size-2 animate-pulse rounded-full bg-accent" aria-hidden />}
      </button>
      {open && (
        <ol className="mt-1 ml-5 space-y-0.5">
          {steps.map((step) => (
            <li key={step.index} className="flex gap-3">
              <span className="w-12 shrink-0 text-right tabular-nums">{seconds(step.elapsed_ms)}</span>
              <span>
                {nameOf(step)}
                {step.query && <span className="text-ink"> {t('“{query}”', { query: step.query })}</span>}
                {step.result_count !== undefined &&
                  ` · ${plural(step.result_count, '{count} found', '{count} found')}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
