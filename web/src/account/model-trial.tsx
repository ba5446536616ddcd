// “Try it”: what works with a model and what does not, line by line as it is found out.

import { CircleCheck, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ModelCheck, ModelFinding, ModelPart, ModelSet, TrialUse } from '../../../src/contract/models.ts'
import { errorText } from '../language/error-text.ts'
import { message, t } from '../language/text.tsx'
import { formatCount } from '../parts/format.ts'
import { tryModel } from './model-queries.ts'
import { formatCost } from './spending-queries.ts'

export interface Trial {
  findings: ModelFinding[]
  /** What each check of a language model took. */
  uses: TrialUse[]
  running: ModelCheck | 'all' | undefined
  /** Why a request to Kenning itself failed. */
  error: string | undefined
}

const EMPTY: Trial = { findings: [], uses: [], running: undefined, error: undefined }

/** A trial that can be started again; the one before is then forgotten. */
export function useTrial(part: ModelPart) {
  const [trial, setTrial] = useState<Trial>(EMPTY)
  const current = useRef(0)
  const forget = (): void => {
    current.current++
    setTrial(EMPTY)
  }
  const start = async (model: ModelSet | undefined): Promise<void> => {
    forget()
    const own = current.current
    const update = (change: (before: Trial) => Trial): void => {
      if (own === current.current) setTrial(change)
    }
    try {
      for await (const step of tryModel(part, model)) {
        if (own !== current.current) return
        update((before) =>
          'running' in step
            ? { ...before, running: step.running }
            : {
                ...before,
                findings: [...before.findings, ...step.findings],
                uses: [...before.uses, ...step.uses],
              },
        )
      }
    } catch (error) {
      update((before) => ({ ...before, error: errorText(error as Error) }))
    }
    update((before) => ({ ...before, running: undefined }))
  }
  return { trial, start, forget }
}

const LABELS: Record<ModelFinding['check'], string> = {
  answer: message('Answer'),
  tools: message('Tools'),
  context: message('Long prompts'),
  structure: message('Structured replies'),
  speed: message('Speed'),
  meaning: message('Meaning'),
  refill: message('New vectors'),
  order: message('Order'),
  text: message('Words of an image'),
}

const RUNNING: Record<ModelCheck | 'all', string> = {
  all: message('Trying it. A model that has to be loaded first takes a while.'),
  tools: message('Asking a question that needs a tool. A model that has to be loaded first takes a while.'),
  context: message(
    'Sending a long prompt with a word at its beginning. On a laptop this can take a minute or two.',
  ),
  structure: message('Asking for a structured reply.'),
}

const OUTCOMES = {
  ok: { icon: CircleCheck, label: message('Works'), className: 'text-good' },
  warning: { icon: TriangleAlert, label: message('Works less well'), className: 'text-ink' },
  problem: { icon: CircleX, label: message('Does not work'), className: 'text-bad' },
} as const

export function TrialResult({ trial: { findings, uses, running, error } }: { trial: Trial }) {
  return (
    <div role="status" className="mt-4 empty:mt-0">
      {findings.length > 0 && (
        <dl className="grid max-w-2xl gap-x-4 gap-y-3 text-sm sm:grid-cols-[10rem_1fr]">
          {findings.map(({ check, outcome, message }) => {
            const { icon: Icon, label, className } = OUTCOMES[outcome]
            return (
              <div key={check} className="contents">
                <dt className="flex items-center gap-2 self-start font-medium">
                  <Icon size={16} role="img" aria-label={t(label)} className={`shrink-0 ${className}`} />
                  {t(LABELS[check])}
                </dt>
                <dd className="-mt-2 pl-6 break-words sm:mt-0 sm:pl-0">{message}</dd>
              </div>
            )
          })}
        </dl>
      )}
      {!running && uses.length > 0 && <p className="mt-3 text-sm text-soft">{tokensText(uses)}</p>}
      {running && (
        <p className="mt-3 flex items-center gap-2 text-sm text-soft">
          <LoaderCircle size={16} aria-hidden className="shrink-0 animate-pulse" />
          {t(RUNNING[running])}
        </p>
      )}
      {error && <p className="mt-3 text-sm text-bad">{error}</p>}
    </div>
  )
}

function tokensText(uses: readonly TrialUse[]): string {
  const sum = (pick: (use: TrialUse) => number): number => uses.reduce((total, use) => total + pick(use), 0)
  const tokens = {
    read: formatCount(sum((use) => use.prompt_tokens)),
    written: formatCount(sum((use) => use.answer_tokens)),
  }
  const currency = uses.find((use) => use.cost !== null)?.currency
  if (!currency) return t('The trial took {read} tokens read and {written} written.', tokens)
  const cost = formatCost(
    sum((use) => use.cost ?? 0),
    currency,
  )
  return t('The trial took {read} tokens read and {written} written, which cost {cost}.', { ...tokens, cost })
}
