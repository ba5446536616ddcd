// The agent's steps one by one, or one line when it has finished.

import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Step } from './use-asking.ts'

const seconds = (ms: number): string =>
  `${(ms / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`

export function Steps({ steps, running }: { steps: readonly Step[]; running: boolean }) {
  const [open, setOpen] = useState(false)
  const searches = steps.filter(({ type }) => type === 'search').length
  const lastStep = steps.at(-1)
  const summary = running
    ? (lastStep?.label ?? 'Asking')
    : `${searches === 1 ? 'searched once' : `searched ${searches} times`}${lastStep ? `, ${seconds(lastStep.elapsed_ms)}` : ''}`
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
        {running && (
          <span
            className="ml-1 size-3 animate-spin rounded-full border border-line border-t-accent"
            aria-hidden
          />
        )}
      </button>
      {open && (
        <ol className="mt-1 ml-5 space-y-0.5">
          {steps.map((step) => (
            <li key={step.index} className="flex gap-3">
              <span className="w-12 shrink-0 text-right tabular-nums">{seconds(step.elapsed_ms)}</span>
              <span>
                {step.label}
                {step.query && <span className="text-ink"> “{step.query}”</span>}
                {step.result_count !== undefined && ` · ${step.result_count} found`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
