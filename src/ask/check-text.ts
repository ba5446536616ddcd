// "Check this text against the documents": for each sentence of a draft its passages are searched, and each sentence and row of them
// is held against it (check/compare.ts). A draft counts as a question.

import { record } from '../audit/activity.sql.ts'
import { actorOf } from '../audit/activity.ts'
import { requireWorkspace } from '../auth/access.ts'
import { type Caller, principal } from '../auth/caller.ts'
import type {
  CheckedSentence,
  TextCheck,
  TextCheckRequest,
  TextEvidence,
  TextVerdict,
} from '../contract/checks.ts'
import { passageUrl } from '../documents/passage-url.ts'
import { invalid, unavailable } from '../errors.ts'
import { analysedText } from '../language/analysed-text.ts'
import type { Sentence } from '../language/sentences.ts'
import type { Deps } from '../ports/deps.ts'
import { span } from '../ports/trace/trace.ts'
import { statementsIn } from './check/statements.ts'
import { checkStatement, type Finding } from './check/verdict.ts'
import { countQuestion, uncountQuestion } from './rate-limit.ts'
import { bindTools, isTimeout, type Tools } from './tools/tools.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'settings' | 'embedder' | 'admission'>

const MAX_STATEMENTS = 500
// Each takes a connection and some 30 ms of a core.
const AT_ONCE = 3
const END_MS = 118_000

/** A text without a statement has no sentences. @throws ApiError 404, 422 for a text with too many, 429, 503 when there is no room or no time */
export async function checkText(
  deps: Needs,
  caller: Caller,
  workspaceId: string,
  { text }: TextCheckRequest,
  callerSignal: AbortSignal,
): Promise<TextCheck> {
  await requireWorkspace(deps, caller, workspaceId, 'read')
  const statements = statementsIn(text)
  if (statements.length === 0) return asCheck([])
  if (statements.length > MAX_STATEMENTS)
    throw invalid(
      ['body', 'text'],
      `The text has ${statements.length} sentences; at most ${MAX_STATEMENTS} are checked at once`,
      'too_long',
      text,
      { max_length: MAX_STATEMENTS, actual_length: statements.length },
    )
  const release = deps.admission.checks.acquire()
  try {
    const asker = principal(caller)
    const quota = await countQuestion(deps, asker, async (tx) => {
      await requireWorkspace({ db: tx }, caller, workspaceId, 'read')
      await record(tx, { action: 'question_asked', actor: actorOf(caller), workspaceIds: [workspaceId] })
    })
    const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(END_MS)])
    const tools = bindTools(deps, caller, workspaceId, { signal, late: () => false })
    try {
      const findings = await span('ask: check', {}, () => checkAll(tools, statements))
      return asCheck(statements.map((statement, i) => asSentence(deps, workspaceId, statement, findings[i])))
    } catch (error) {
      if (!callerSignal.aborted) await uncountQuestion(deps, quota)
      if (isTimeout(error))
        throw unavailable('Checking the text took too long. Check less at once.', 5, error)
      throw error
    }
  } finally {
    release()
  }
}

async function checkAll(tools: Tools, statements: readonly Sentence[]): Promise<Finding[]> {
  const message = analysedText(statements.map(({ text }) => text).join('\n'))
  const findings: Finding[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < statements.length; at = next++)
      findings[at] = await checkStatement(tools, message, statements[at]?.text ?? '')
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return findings
}

const asCheck = (data: CheckedSentence[]): TextCheck => {
  const count = (verdict: TextVerdict): number =>
    data.filter((sentence) => sentence.verdict === verdict).length
  return {
    data,
    supported: count('supported'),
    contradicted: count('contradicted'),
    not_found: count('not_found'),
  }
}

function asSentence(
  deps: Pick<Deps, 'settings'>,
  workspaceId: string,
  { text, start, end }: Sentence,
  finding: Finding | undefined,
): CheckedSentence {
  const passages = (finding?.evidence ?? []).map(({ text: quote, found: { passage } }): TextEvidence => {
    const { chunk_id, document_id, document_title, page, type } = passage
    const source_url = passageUrl(deps, workspaceId, passage)
    return { text: quote, type, chunk_id, document_id, document_title, page, source_url }
  })
  return { text, start, end, verdict: finding?.verdict ?? 'not_found', passages }
}
