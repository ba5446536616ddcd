// The reader's feedback on an answer: helpful or wrong, with a note. It can be changed and withdrawn.

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { errorText } from '../language/error-text.ts'
import { message, t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { inputClass } from '../parts/field.tsx'
import { announce } from '../parts/toast.tsx'
import { threadQuery } from '../queries.ts'
import { api } from '../session.ts'

type Turn = Output<'getThread'>['turns'][number]
type Feedback = Turn['feedback']
type Verdict = NonNullable<Feedback>['verdict']

interface Props {
  workspace: string
  thread: string
  turn: Turn
}

const CHOICES = [
  { verdict: 'helped', label: message('This helped'), Icon: ThumbsUp },
  { verdict: 'wrong', label: message('This is wrong'), Icon: ThumbsDown },
] as const

function useFeedback({ workspace, thread, turn }: Props) {
  const queries = useQueryClient()
  const turnPath = { workspace_id: workspace, thread_id: thread, turn_number: String(turn.number) }
  return useMutation({
    mutationFn: async (feedback: { verdict: Verdict; note: string } | null): Promise<Feedback> => {
      if (feedback) return api.putFeedback({ ...turnPath, ...feedback })
      await api.deleteFeedback(turnPath)
      return null
    },
    onSuccess: (feedback) =>
      queries.setQueryData(threadQuery(workspace, thread).queryKey, (cached) =>
        cached
          ? {
              ...cached,
              turns: cached.turns.map((one) => (one.number === turn.number ? { ...one, feedback } : one)),
            }
          : cached,
      ),
  })
}

/** The two buttons, for the row below an answer. */
export function FeedbackButtons(props: Props) {
  const { feedback } = props.turn
  const sendFeedback = useFeedback(props)
  return CHOICES.map(({ verdict, label, Icon }) => {
    const isSelected = feedback?.verdict === verdict
    return (
      <Button
        key={verdict}
        kind="quiet"
        aria-pressed={isSelected}
        disabled={sendFeedback.isPending}
        className={isSelected ? 'text-accent! bg-tint' : ''}
        onClick={() => sendFeedback.mutate(isSelected ? null : { verdict, note: feedback?.note ?? '' })}
      >
        <Icon size={14} /> {t(label)}
      </Button>
    )
  })
}

/** The note, shown after feedback was given. */
export function FeedbackNote(props: Props) {
  const { feedback } = props.turn
  const sendFeedback = useFeedback(props)
  const [draft, setDraft] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const hasSentFeedback = useRef(feedback !== null)
  useEffect(() => {
    if (feedback && !hasSentFeedback.current) form.current?.scrollIntoView({ block: 'nearest' })
    hasSentFeedback.current = feedback !== null
  }, [feedback])
  if (!feedback) return null
  const note = draft ?? feedback.note
  const isChanged = note.trim() !== feedback.note
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    sendFeedback.mutate(
      { verdict: feedback.verdict, note: note.trim() },
      {
        onSuccess: () => {
          setDraft(undefined)
          announce(t('Your note was saved.'))
        },
      },
    )
  }
  return (
    <form ref={form} onSubmit={submit} className="mt-2 flex scroll-mb-6 flex-wrap items-center gap-2">
      <input
        aria-label={t('Note on this answer')}
        placeholder={
          feedback.verdict === 'wrong'
            ? t('What is wrong, or where the right answer is (optional)')
            : t('A note (optional)')
        }
        value={note}
        maxLength={2000}
        onChange={(event) => setDraft(event.target.value)}
        className={`${inputClass} min-w-0 flex-1 text-sm!`}
      />
      {isChanged && (
        <Button type="submit" disabled={sendFeedback.isPending}>
          {t('Save note')}
        </Button>
      )}
      {sendFeedback.error && (
        <span role="alert" className="text-sm text-bad">
          {errorText(sendFeedback.error)}
        </span>
      )}
    </form>
  )
}
