// Ask: a conversation with the documents. The address contains its thread.

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { ArrowUp, Square } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Output } from '../../../src/client/client.ts'
import { sourcesOf } from '../../../src/transcript/source.ts'
import { t } from '../language/text.tsx'
import { Button, buttonClass, IconButton } from '../parts/button.tsx'
import { loadWithRetries } from '../parts/patiently.ts'
import { SidePanel } from '../parts/side-panel.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { threadQuery, workspaceQuery } from '../queries.ts'
import { ExampleLibrary } from '../shell/example-library.tsx'
import { Answer } from './answer.tsx'
import { UnlessEmptyForViewers } from './empty-for-viewers.tsx'
import { FeedbackButtons, FeedbackNote } from './feedback.tsx'
import { PrintedDate, PrintedTitle } from './print-parts.tsx'
import { Share } from './share.tsx'
import { Steps } from './steps.tsx'
import { KindOfAnswers, Suggestions } from './suggestions.tsx'
import { TakeAlong } from './take-along.tsx'
import { ThreadsButton, ThreadsColumn, useThreadsView } from './threads-button.tsx'
import { Closest, StillReading } from './unsupported.tsx'
import { type Asking, useAsking } from './use-asking.ts'
import { WrittenAnswer } from './written-answer.tsx'

// The panel is loaded when an answer has been shown for a moment. It contains the code for images of pages and for tables.
const loadPassagePanel = () => loadWithRetries(() => import('./passage-panel.tsx'))
const PassagePanel = lazy(() => loadPassagePanel().then((module) => ({ default: module.PassagePanel })))
const PANEL_PRELOAD_DELAY_MS = 1000

// Loaded after the page, so that one can type before it has arrived.
const Threads = lazy(() =>
  loadWithRetries(() => import('./threads.tsx')).then((module) => ({ default: module.Threads })),
)

type Turn = Output<'getThread'>['turns'][number]

interface OpenCitation {
  turn: number
  number: number
}

/** The citation of an address: the numbers of its turn and of its source, such as "2.1". */
function citationOf(source: string | undefined): OpenCitation | undefined {
  const [turn, number] =
    /^(\d+)\.(\d+)$/
      .exec(source ?? '')
      ?.slice(1)
      .map(Number) ?? []
  return turn === undefined || number === undefined ? undefined : { turn, number }
}

/** Whether focusing a text field opens a keyboard over half of the page. */
const isTouchScreen = (): boolean => matchMedia('(pointer: coarse)').matches

const READER_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

/**
 * Scrolls to the beginning of an element, and again whenever it grows, since an answer is longer than its question, until the reader
 * does anything. Returns a function that ends it.
 */
function keepInView(element: HTMLElement): () => void {
  const scroll = (): void => element.scrollIntoView({ block: 'start' })
  const observer = new ResizeObserver(scroll)
  const end = (): void => {
    observer.disconnect()
    for (const name of READER_EVENTS) removeEventListener(name, end, true)
  }
  for (const name of READER_EVENTS) addEventListener(name, end, { capture: true, passive: true })
  scroll()
  observer.observe(element)
  return end
}

export function AskPage() {
  const { workspace } = useParams({ from: '/w/$workspace' })
  const { thread, q, source } = useSearch({ from: '/w/$workspace/' })
  const navigate = useNavigate({ from: '/w/$workspace/' })
  const goToThread = useCallback(
    (id: string) => void navigate({ search: { thread: id }, replace: true }),
    [navigate],
  )
  const storedThread = useQuery({ ...threadQuery(workspace, thread ?? ''), enabled: thread !== undefined })
  const { asking, ask, stop } = useAsking(workspace, thread, goToThread)
  // In the address, so that "back" closes it, and from the document opens it again.
  const openCitation = useMemo(() => citationOf(source), [source])
  const { history } = useRouter()
  const isOpenedHere = useRef(false)
  const showSource = (citation?: OpenCitation): void => {
    const isOpen = openCitation !== undefined
    if (!isOpen) isOpenedHere.current = citation !== undefined
    void navigate({
      search: ({ source: _, ...params }) => ({
        ...params,
        ...(citation && { source: `${citation.turn}.${citation.number}` }),
      }),
      replace: isOpen,
    })
  }
  const closeSource = (): void => {
    if (isOpenedHere.current) history.back()
    else showSource(undefined)
    isOpenedHere.current = false
  }
  const threadsView = useThreadsView(openCitation !== undefined)
  const [shownThread, setShownThread] = useState(thread)
  // A number for each conversation. The typed text belongs to the conversation and stays when the first answer gives it an address.
  const [conversation, setConversation] = useState(0)
  if (shownThread !== thread) {
    setShownThread(thread)
    if (thread === undefined || asking?.answer?.thread_id !== thread) {
      setConversation(conversation + 1)
      stop()
    }
  }
  const [shownQuestion, setShownQuestion] = useState(q)
  if (shownQuestion !== q) {
    setShownQuestion(q)
    if (q !== undefined) setConversation(conversation + 1)
  }
  const turns = thread ? (storedThread.data?.turns ?? []) : []
  // The question that is being answered is shown apart until the stored thread contains it.
  const isStored: boolean =
    asking?.answer !== undefined && turns.some(({ question }) => question === asking.question)
  const newestTurn = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const askQuestion = (question: string): void => {
    void ask(question)
    // The focus goes to the text field, because the button that was pressed may have disappeared.
    if (!isTouchScreen()) field.current?.focus()
  }
  const turnCount = turns.length
  const isRunning = asking !== undefined && !isStored
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to the newest turn when one is added
  useEffect(
    () => (newestTurn.current ? keepInView(newestTurn.current) : undefined),
    [turnCount, asking?.question],
  )
  useEffect(() => {
    if (turnCount === 0) return
    const timer = setTimeout(() => void loadPassagePanel().catch(() => undefined), PANEL_PRELOAD_DELAY_MS)
    return () => clearTimeout(timer)
  }, [turnCount])
  const openedSource = turns
    .find(({ number }) => number === openCitation?.turn)
    ?.citations.find(({ number }) => number === openCitation?.number)
  const isNew = turns.length === 0 && !asking
  return (
    <div className="flex h-full">
      <Suspense fallback={<ThreadsColumn view={threadsView} />}>
        <Threads workspace={workspace} thread={thread} view={threadsView} />
      </Suspense>
      <div className="flex min-w-0 flex-1 flex-col">
        <ThreadsButton workspace={workspace} view={threadsView} />
        <div className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
          <div data-print-area className="mx-auto max-w-[46rem] px-4 py-6 md:px-6">
            {storedThread.data && <PrintedTitle title={storedThread.data.title} />}
            {thread && storedThread.error && (
              <Problem error={storedThread.error} retry={() => void storedThread.refetch()} />
            )}
            {thread && storedThread.isPending && !asking && <Skeleton lines={6} />}
            {isNew && !thread && (
              <UnlessEmptyForViewers workspace={workspace}>
                <Start workspace={workspace} ask={askQuestion} />
              </UnlessEmptyForViewers>
            )}
            {turns.map((turn, i) => (
              <div key={turn.number} ref={isRunning || i < turnCount - 1 ? undefined : newestTurn}>
                <TurnView
                  workspace={workspace}
                  thread={thread ?? ''}
                  turn={turn}
                  steps={isStored && asking?.question === turn.question ? asking : undefined}
                  opened={openCitation?.turn === turn.number ? openCitation.number : undefined}
                  open={(number) => showSource({ turn: turn.number, number })}
                  isNewest={i === turnCount - 1}
                  retry={() => askQuestion(turn.question)}
                />
              </div>
            ))}
            {storedThread.data && turnCount > 0 && !isRunning && (
              <div className="print:hidden">
                <Share
                  workspace={workspace}
                  thread={storedThread.data.id}
                  isShared={storedThread.data.shared_at !== null}
                />
                <TakeAlong title={storedThread.data.title} turns={turns} />
              </div>
            )}
            {isRunning && (
              <div ref={newestTurn}>
                <Running
                  asking={asking}
                  isThreadMissing={storedThread.error !== null}
                  retry={() => askQuestion(asking.question)}
                />
              </div>
            )}
          </div>
        </div>
        <QuestionForm
          key={`${workspace} ${conversation}`}
          field={field}
          initialText={thread === undefined ? q : undefined}
          isNew={thread === undefined}
          running={asking !== undefined && !asking.answer && !asking.problem}
          followUp={turns.length > 0}
          ask={askQuestion}
          stop={stop}
        />
      </div>
      {openCitation && thread && (
        <Suspense fallback={<PanelSkeleton close={closeSource} />}>
          <PassagePanel
            workspace={workspace}
            thread={thread}
            turn={openCitation.turn}
            number={openCitation.number}
            url={openedSource?.source_url}
            close={closeSource}
          />
        </Suspense>
      )}
    </div>
  )
}

function PanelSkeleton({ close }: { close: () => void }) {
  return (
    <SidePanel label={t('Source')} heading={t('Source')} openId="" close={close} className="xl:w-[32rem]">
      <Skeleton lines={8} />
    </SidePanel>
  )
}

function Question({ text }: { text: string }) {
  return <h2 className="mb-3 text-lg leading-snug font-semibold whitespace-pre-line">{text}</h2>
}

interface TurnProps {
  workspace: string
  thread: string
  turn: Turn
  steps: Asking | undefined
  open: (number: number) => void
  opened: number | undefined
  isNewest: boolean
  /** Asks the same question again. */
  retry: () => void
}

function TurnView({ workspace, thread, turn, steps, open, opened, isNewest, retry }: TurnProps) {
  const queries = steps?.steps.flatMap(({ type, query }) => (type === 'search' && query ? [query] : []))
  // A greeting is answered without a search, so it is not reported as missing in the documents.
  const isSmallTalk = queries?.length === 0
  const turnProps = { workspace, thread, turn }
  return (
    <article className="mb-10">
      <Question text={turn.question} />
      <PrintedDate instant={turn.created_at} />
      {steps && <Steps steps={steps.steps} running={false} />}
      <Answer
        answer={turn.answer}
        value={turn.value}
        isValueAbove={!steps?.text}
        sources={sourcesOf(turn.citations)}
        open={open}
        opened={opened}
        unsupported={
          isSmallTalk ? undefined : (
            <>
              {isNewest && <StillReading workspace={workspace} retry={retry} />}
              <Closest workspace={workspace} question={turn.question} agentQueries={queries ?? []} />
            </>
          )
        }
        actions={<FeedbackButtons {...turnProps} />}
        below={
          <>
            <FeedbackNote {...turnProps} />
            {isNewest && steps && turn.citations.length > 0 && (
              <StillReading workspace={workspace} retry={retry} isAnswered />
            )}
          </>
        }
      />
    </article>
  )
}

interface RunningProps {
  asking: Asking
  /** Whether the stored turn, which takes this place, could not be loaded. */
  isThreadMissing: boolean
  retry: () => void
}

function Running({ asking, isThreadMissing, retry }: RunningProps) {
  // Until the stored turn takes this place, the answer stands here as it will stand there, so that nothing moves then. An answer to
  // which the documents say nothing will stand in a frame, with what is closest: before, only what has come of it is shown.
  const { answer, citations = [], value } = asking.answer ?? {}
  const text = answer && (citations.length > 0 || isThreadMissing) ? answer : asking.text
  return (
    <article className="mb-10" aria-busy={!asking.answer}>
      <Question text={asking.question} />
      {asking.problem ? (
        <div role="alert" className="rounded-lg bg-bad-back p-4">
          <p className="mb-2">{asking.problem}</p>
          <Button onClick={retry}>{t('Ask again')}</Button>
        </div>
      ) : (
        <>
          <Steps steps={asking.steps} running={!asking.answer} />
          {text && <WrittenAnswer text={text} value={value} isValueAbove={!asking.text} />}
        </>
      )}
    </article>
  )
}

/** What is shown before the first question: what one can ask about. */
function Start({ workspace, ask }: { workspace: string; ask: (question: string) => void }) {
  const { data: workspaceData } = useQuery(workspaceQuery(workspace))
  if (workspaceData?.document_count === 0)
    return (
      <div className="py-12 text-center">
        <h2 className="mb-2 text-lg font-semibold">{t('This workspace is empty')}</h2>
        <p className="mb-4 text-soft">{t('Add documents, then ask about them.')}</p>
        <Link to="/w/$workspace/documents" params={{ workspace }} className={buttonClass('primary')}>
          {t('Add documents')}
        </Link>
        <div className="mt-6">
          <ExampleLibrary workspace={workspace} />
        </div>
      </div>
    )
  return (
    <div className="py-8">
      <h2 className="mb-1 text-lg font-semibold">{t('Ask the documents')}</h2>
      <p className="mb-4 text-balance text-soft">
        {t('Every statement of an answer is cited. Where the documents say nothing, the answer says so.')}
      </p>
      <Suggestions workspace={workspace} ask={ask} />
      <KindOfAnswers workspace={workspace} />
      <p className="mt-6">
        <Link to="/w/$workspace/check" params={{ workspace }} className="text-accent hover:underline">
          {t('Check a text of yours against the documents')}
        </Link>
      </p>
    </div>
  )
}

interface FormProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** The text of the field at the start. */
  initialText: string | undefined
  /** Whether no question was asked yet. The field then gets the focus. */
  isNew: boolean
  running: boolean
  followUp: boolean
  ask: (question: string) => void
  stop: () => void
}

function QuestionForm({ field, initialText = '', isNew, running, followUp, ask, stop }: FormProps) {
  const [question, setQuestion] = useState(initialText)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page is opened
  useEffect(() => {
    if (isNew && !isTouchScreen()) field.current?.focus()
  }, [])
  const submit = (event?: FormEvent): void => {
    event?.preventDefault()
    if (!question.trim() || running) return
    ask(question.trim())
    setQuestion('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // The shortcuts of the page work when the field has no focus.
    if (event.key === 'Escape') field.current?.blur()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    // As wide as the part above, which leaves room for a scroll bar.
    <div className="shrink-0 overflow-hidden [scrollbar-gutter:stable]">
      <form onSubmit={submit} className="mx-auto w-full max-w-[46rem] px-4 pb-4 md:px-6">
        <div className="flex items-end gap-2 rounded-xl border border-edge/60 bg-paper p-1.5 pl-3 focus-within:border-accent">
          <textarea
            ref={field}
            aria-label={t('Your question')}
            placeholder={followUp ? t('Ask a follow-up') : t('Ask a question')}
            rows={1}
            maxLength={8000}
            value={question}
            onChange={(event) => setQuestion(event.target.value)}
            onKeyDown={onKeyDown}
            className="field-sizing-content max-h-48 min-h-8 flex-1 resize-none bg-transparent py-1 outline-none placeholder:text-soft"
          />
          {running ? (
            <IconButton label={t('Stop')} onClick={stop}>
              <Square size={14} />
            </IconButton>
          ) : (
            <button
              type="submit"
              aria-label={t('Ask')}
              disabled={!question.trim()}
              className={buttonClass('primary', 'size-8 min-h-0! p-0!')}
            >
              <ArrowUp size={16} />
            </button>
          )}
        </div>
      </form>
    </div>
  )
}
