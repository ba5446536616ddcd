// The answer while the model writes it. Verified sentences become steps. If the model starts its answer again, the text that was
// shown is withdrawn.

import { openProseVerification } from '../citations/prose.ts'
import type { Verified } from '../citations/verify.ts'
import type { StepReport } from '../tools/tools.ts'
import { repeatsSystemPrompt } from './prompt.ts'
import type { AgentRun } from './run.ts'
import { MAX_CHARACTERS, safeMarkdown } from './safe-markdown.ts'

/** Starts an answer of the model. Only passages that the model has seen until now may support it. */
export function beginWriting(run: AgentRun): void {
  const passages = [...run.context.passages]
  const isInPassages = (address: string): boolean => passages.some(({ text }) => text.includes(address))
  const verification = openProseVerification({
    passages,
    clean: (markdown) => safeMarkdown(markdown, isInPassages),
    otherSources: [...run.otherSources],
    calculations: [...run.calculations],
  })
  run.writing = { verification, shown: '' }
}

/** A step that withdraws the text that was shown. No step if no text was shown. */
export function* withdrawText({ writing }: AgentRun, label: string): Generator<StepReport, void> {
  if (writing.shown !== '') yield { type: 'think', label, restart: true }
  writing.shown = ''
}

/**
 * Steps with the sentences that were verified since the last step. No text is shown before its first citation, because it may be a
 * remark beside a tool call or a refusal.
 */
export function* showSentences(run: AgentRun, reply: string): Generator<StepReport, void> {
  yield* restartUnlessContinued(run, reply)
  const { writing } = run
  const { text, citationCount } = writing.verification.advance(bounded(reply))
  if (citationCount === 0 || text.length <= writing.shown.length || repeatsSystemPrompt(text)) return
  const newText = text.slice(writing.shown.length)
  writing.shown = text
  yield { type: 'answer', label: 'Writing the answer', text: newText }
}

/** The verified answer of a complete reply. */
export function* finishWriting(run: AgentRun, reply: string): Generator<StepReport, Verified> {
  yield* restartUnlessContinued(run, reply)
  return run.writing.verification.finish(bounded(reply))
}

function* restartUnlessContinued(run: AgentRun, reply: string): Generator<StepReport, void> {
  if (run.writing.verification.continues(bounded(reply))) return
  yield* withdrawText(run, 'The model begins its answer anew')
  beginWriting(run)
}

const bounded = (reply: string): string => reply.slice(0, MAX_CHARACTERS)

/** Yields the steps of a reply that is being written, and returns the result of `work`. @throws what `work` throws */
export async function* whileWriting<T>(
  run: AgentRun,
  work: (onText: (text: string) => void) => Promise<T>,
): AsyncGenerator<StepReport, T> {
  let reply: string | undefined
  let wake = (): void => {}
  const result = work((text) => {
    reply = text
    wake()
  })
  const ending = result.then(
    () => true,
    () => true,
  )
  for (;;) {
    const hasMore = new Promise<boolean>((resolve) => {
      wake = () => resolve(false)
    })
    if (reply === undefined && (await Promise.race([ending, hasMore]))) return await result
    const latestReply = reply
    reply = undefined
    if (latestReply !== undefined) yield* showSentences(run, latestReply)
  }
}
