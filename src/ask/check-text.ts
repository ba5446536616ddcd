// Checks a text against the documents (extension): passages are searched for each sentence of the text, and it is compared with
// each sentence and row of them (check/compare.ts). Fifty sentences count as one question.

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
import { invalidField, unavailable } from '../errors.ts'
import { analysedText } from '../language/analysed-text.ts'
import type { Sentence } from '../language/sentences.ts'
import type { Deps } from '../ports/deps.ts'
import { span } from '../ports/trace/trace.ts'
import { statementsIn } from './check/statements.ts'
import { mapTogether } from './check/together.ts'
import { checkStatement, type Finding } from './check/verdict.ts'
import { countQuestion, uncountQuestion } from './rate-limit.ts'
import { bindTools, isTimeout } from './tools/tools.ts'

type Needs = Pick<Deps, 'db' | 'log' | 'settings' | 'embedder' | 'admission'>

const MAX_STATEMENTS = 500
const STATEMENTS_PER_QUESTION = 50
const MAX_TIME_MS = 118_000

/**
 * The verdict on each sentence of a text. Empty for a text without a statement.
 * @throws ApiError 404, 422 for too many sentences, 429, 503 if too many checks are running or the time is up
 */
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
    throw invalidField({
      loc: ['body', 'text'],
      msg: `The text has ${statements.length} sentences; at most ${MAX_STATEMENTS} are checked at once`,
      type: 'too_long',
      input: text,
      ctx: { max_length: MAX_STATEMENTS, actual_length: statements.length },
    })
  const asker = principal(caller)
  const release = deps.admission.checks.acquireFor(asker)
  try {
    const countedQuestion = await countQuestion(
      deps,
      asker,
      async (tx) => {
        await requireWorkspace({ db: tx }, caller, workspaceId, 'read')
        await record(tx, {
          action: 'question_asked',
          actor: actorOf(caller),
          workspaceIds: [workspaceId],
        })
      },
      Math.ceil(statements.length / STATEMENTS_PER_QUESTION),
    )
    // Stops the checks of the other sentences after a failure.
    const failure = new AbortController()
    const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(MAX_TIME_MS), failure.signal])
    const tools = bindTools(deps, caller, workspaceId, { signal, outOfTime: () => false })
    const message = analysedText(statements.map(({ text: statement }) => statement).join('\n'))
    try {
      const findings = await span('ask: check', {}, () =>
        mapTogether(
          statements,
          (statement) => checkStatement(tools, message, statement.text),
          (error) => failure.abort(error),
        ),
      )
      return asCheck(statements.map((statement, i) => asSentence(deps, workspaceId, statement, findings[i])))
    } catch (error) {
      // A text that takes too long still counts, because the work was done.
      if (isTimeout(error))
        throw unavailable('Checking the text took too long. Check less at once.', 5, error)
      if (!callerSignal.aborted) await uncountQuestion(deps, countedQuestion)
      throw error
    }
  } finally {
    release()
  }
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
  const passages = (finding?.evidence ?? []).map(
    ({ text: quote, foundPassage: { passage } }): TextEvidence => {
      const { chunk_id, document_id, document_title, page, type } = passage
      const source_url = passageUrl(deps, workspaceId, passage)
      return { text: quote, type, chunk_id, document_id, document_title, page, source_url }
    },
  )
  return { text, start, end, verdict: finding?.verdict ?? 'not_found', passages }
}
