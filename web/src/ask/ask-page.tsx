// Ask: a conversation with the documents. Its thread stands in the address.

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowUp, MessageSquarePlus, Square, Trash2 } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Output } from '../../../src/client/client.ts'
import { Button, buttonClass, IconButton } from '../parts/button.tsx'
import { formatAgo } from '../parts/format.ts'
import { Problem, Skeleton } from '../parts/states.tsx'
import { themesQuery, threadQuery, threadsQuery, workspaceQuery } from '../queries.ts'
import { api } from '../session.ts'
import { ExampleLibrary } from '../shell/example-library.tsx'
import { Answer, type Source } from './answer.tsx'
import { PassagePanel } from './passage-panel.tsx'
import { Steps } from './steps.tsx'
import { type Asking, useAsking } from './use-asking.ts'

type Turn = Output<'getThread'>['turns'][number]

interface Opened {
  turn: number
  number: number
}

export function AskPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { thread } = useSearch({ from: '/w/$workspace/' })
  const navigate = useNavigate({ from: '/w/$workspace/' })
  const answered = useCallback(
    (id: string) => void navigate({ search: { thread: id }, replace: true }),
    [navigate],
  )
  const kept = useQuery({ ...threadQuery(workspace, thread ?? ''), enabled: thread !== undefined })
  const { asking, ask, stop } = useAsking(workspace, thread, answered)
  const [opened, setOpened] = useState<Opened>()
  const [shownThread, setShownThread] = useState(thread)
  if (shownThread !== thread) {
    setShownThread(thread)
    if (shownThread !== undefined) {
      setOpened(undefined)
      stop()
    }
  }
  const turns = thread ? (kept.data?.turns ?? []) : []
  // The turn under way until the thread that is kept has it.
  const isKept = asking?.answer !== undefined && turns.some(({ question }) => question === asking.question)
  const end = useRef<HTMLDivElement>(null)
  const count = turns.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: to the newest turn whenever there is one more
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [count, asking?.question])
  const isNew = turns.length === 0 && !asking
  return (
    <div className="flex h-full">
      <Threads workspace={workspace} thread={thread} narrow={opened !== undefined} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="min-h-0 flex-1 overflow-y-auto">
          <div className="mx-auto max-w-[46rem] px-4 py-6 md:px-6">
            {thread && kept.error && <Problem error={kept.error} retry={() => void kept.refetch()} />}
            {thread && kept.isPending && !asking && <Skeleton lines={6} />}
            {isNew && !thread && <Start workspace={workspace} ask={(question) => void ask(question)} />}
            {turns.map((turn) => (
              <TurnView
                key={turn.number}
                turn={turn}
                steps={isKept && asking?.question === turn.question ? asking : undefined}
                opened={opened?.turn === turn.number ? opened.number : undefined}
                open={(number) => setOpened({ turn: turn.number, number })}
              />
            ))}
            {asking && !isKept && <Running asking={asking} again={() => void ask(asking.question)} />}
            <div ref={end} />
          </div>
        </div>
        <QuestionForm
          key={thread ?? 'new'}
          running={asking !== undefined && !asking.answer && !asking.problem}
          followUp={turns.length > 0}
          ask={(question) => void ask(question)}
          stop={stop}
        />
      </div>
      {opened && thread && (
        <PassagePanel
          workspace={workspace}
          thread={thread}
          turn={opened.turn}
          number={opened.number}
          close={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

const sourcesOf = (turn: Turn): Source[] =>
  turn.citations.map(({ number, document_title, page, text, state }) => ({
    number,
    title: document_title,
    page,
    text,
    ...(state === 'current' ? {} : { gone: state }),
  }))

function Question({ text }: { text: string }) {
  return <h2 className="mb-3 text-lg leading-snug font-semibold whitespace-pre-line">{text}</h2>
}

interface TurnProps {
  turn: Turn
  steps: Asking | undefined
  open: (number: number) => void
  opened: number | undefined
}

function TurnView({ turn, steps, open, opened }: TurnProps) {
  return (
    <article className="mb-10">
      <Question text={turn.question} />
      {steps && <Steps steps={steps.steps} running={false} />}
      <Answer answer={turn.answer} sources={sourcesOf(turn)} open={open} opened={opened} />
    </article>
  )
}

function Running({ asking, again }: { asking: Asking; again: () => void }) {
  return (
    <article className="mb-10" aria-busy={!asking.answer}>
      <Question text={asking.question} />
      {asking.problem ? (
        <div role="alert" className="rounded-lg bg-bad-back p-4">
          <p className="mb-2">{asking.problem}</p>
          <Button onClick={again}>Ask again</Button>
        </div>
      ) : (
        <Steps steps={asking.steps} running={!asking.answer} />
      )}
    </article>
  )
}

/** Before the first question: what there is to ask about. */
function Start({ workspace, ask }: { workspace: string; ask: (question: string) => void }) {
  const { data: about } = useQuery(workspaceQuery(workspace))
  const { data: themes } = useQuery(themesQuery(workspace))
  if (about?.document_count === 0)
    return (
      <div className="py-12 text-center">
        <h2 className="mb-2 text-lg font-semibold">This workspace is empty</h2>
        <p className="mb-4 text-soft">Add documents, then ask about them.</p>
        <Link to="/w/$workspace/documents" params={{ workspace }} className={buttonClass('primary')}>
          Add documents
        </Link>
        <div className="mt-6">
          <ExampleLibrary workspace={workspace} />
        </div>
      </div>
    )
  const names = themes?.top_entities.slice(0, 4) ?? []
  return (
    <div className="py-8">
      <h2 className="mb-1 text-lg font-semibold">Ask the documents</h2>
      <p className="mb-4 text-soft">
        Every statement of the answer is cited. What the documents do not say is said to be missing.
      </p>
      {names.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {names.map(({ id, name }) => (
            <li key={id}>
              <Button onClick={() => ask(`What do the documents say about ${name}?`)}>
                What about {name}?
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface FormProps {
  running: boolean
  followUp: boolean
  ask: (question: string) => void
  stop: () => void
}

function QuestionForm({ running, followUp, ask, stop }: FormProps) {
  const [question, setQuestion] = useState('')
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (!question.trim() || running) return
    ask(question.trim())
    setQuestion('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <form onSubmit={submit} className="mx-auto w-full max-w-[46rem] px-4 pb-4 md:px-6">
      <div className="flex items-end gap-2 rounded-xl border border-edge/60 bg-paper p-1.5 pl-3 focus-within:border-accent">
        <textarea
          aria-label="Your question"
          placeholder={followUp ? 'Ask a follow-up' : 'Ask a question'}
          rows={1}
          maxLength={8000}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-48 min-h-8 flex-1 resize-none bg-transparent py-1 outline-none placeholder:text-soft"
        />
        {running ? (
          <IconButton label="Stop" onClick={stop}>
            <Square size={14} />
          </IconButton>
        ) : (
          <button
            type="submit"
            aria-label="Ask"
            disabled={!question.trim()}
            className={buttonClass('primary', 'size-8 min-h-0! p-0!')}
          >
            <ArrowUp size={16} />
          </button>
        )}
      </div>
    </form>
  )
}

function Threads({
  workspace,
  thread,
  narrow,
}: {
  workspace: string
  thread: string | undefined
  narrow: boolean
}) {
  const list = useInfiniteQuery(threadsQuery(workspace))
  const queries = useQueryClient()
  const navigate = useNavigate({ from: '/w/$workspace/' })
  const remove = useMutation({
    mutationFn: (id: string) => api.deleteThread({ workspace_id: workspace, thread_id: id }),
    onSuccess: async (_, id) => {
      if (id === thread) await navigate({ search: {} })
      await queries.invalidateQueries({ queryKey: ['workspace', workspace, 'threads'] })
    },
  })
  const threads = list.data?.pages.flatMap(({ data }) => data) ?? []
  if (threads.length === 0) return null
  return (
    <nav
      aria-label="Conversations"
      className={`hidden w-56 shrink-0 flex-col border-r border-line ${narrow ? 'min-[110rem]:flex' : 'xl:flex'}`}
    >
      <Link
        to="/w/$workspace"
        params={{ workspace }}
        search={{}}
        className="m-2 flex items-center gap-2 rounded-md px-2 py-1.5 text-sm hover:bg-line/60"
      >
        <MessageSquarePlus size={14} /> New question
      </Link>
      <ul className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {threads.map(({ id, title, updated_at }) => (
          <li key={id} className="group relative">
            <Link
              to="/w/$workspace"
              params={{ workspace }}
              search={{ thread: id }}
              aria-current={id === thread ? 'page' : undefined}
              className={`block rounded-md px-2 py-1.5 pr-8 text-sm hover:bg-line/60 ${id === thread ? 'bg-line/70' : ''}`}
            >
              <span className="line-clamp-2">{title}</span>
              <span className="text-xs text-soft">{formatAgo(updated_at)}</span>
            </Link>
            <IconButton
              label={`Delete the conversation “${title}”`}
              onClick={() => remove.mutate(id)}
              className="absolute top-1 right-1 opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
            >
              <Trash2 size={14} />
            </IconButton>
          </li>
        ))}
        {list.hasNextPage && (
          <li>
            <Button kind="quiet" onClick={() => void list.fetchNextPage()}>
              Older
            </Button>
          </li>
        )}
      </ul>
    </nav>
  )
}
