// A question that is being answered: its steps as they arrive, then its answer.

import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { AskEvent, Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { api } from '../session.ts'

export type Step = Extract<AskEvent, { event: 'step' }>['data']

export interface Asking {
  question: string
  steps: Step[]
  /** The verified sentences that have come. */
  text: string
  answer?: Output<'ask'>
  problem?: string
}

/** Further sentences take the place of the step that the first ones came with. */
function withStep(asking: Asking, step: Step): Asking {
  const isMoreText = step.text !== undefined && asking.steps.at(-1)?.text !== undefined
  const steps = isMoreText ? asking.steps.slice(0, -1) : asking.steps
  const text = (step.restart ? '' : asking.text) + (step.text ?? '')
  return { ...asking, steps: [...steps, step], text }
}

/** @param onAnswered is called with the thread once the answer is stored */
export function useAsking(
  workspace: string,
  thread: string | undefined,
  onAnswered: (thread: string) => void,
) {
  const [asking, setAsking] = useState<Asking>()
  const queries = useQueryClient()
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const ask = useCallback(
    async (question: string): Promise<void> => {
      abort.current?.abort()
      const controller = new AbortController()
      abort.current = controller
      setAsking({ question, steps: [], text: '' })
      try {
        const input = { workspace_id: workspace, question, thread_id: thread ?? null }
        for await (const { event, data } of api.askEvents(input, { signal: controller.signal })) {
          if (event === 'step') setAsking((current) => current && withStep(current, data))
          else {
            await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'thread', data.thread_id] })
            void queries.invalidateQueries({ queryKey: ['workspace', workspace, 'threads'] })
            setAsking((current) => current && { ...current, answer: data })
            onAnswered(data.thread_id)
          }
        }
      } catch (error) {
        if (controller.signal.aborted) return
        setAsking(
          (current) =>
            current && { ...current, problem: error instanceof Error ? errorText(error) : String(error) },
        )
      }
    },
    [workspace, thread, queries, onAnswered],
  )
  const stop = useCallback(() => {
    abort.current?.abort()
    setAsking(undefined)
  }, [])
  return { asking, ask, stop }
}
