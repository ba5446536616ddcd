// "Check this text against the documents": for each sentence of a draft its passages are searched, and each sentence and row of them
// is held against it (check/compare.ts). Each fifty sentences count as a question.

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
const STATEMENTS_A_QUESTION = 50
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
      Math.ceil(statements.length / STATEMENTS_A_QUESTION),
    )
    const failed = new AbortController()
    const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(END_MS), failed.signal])
    const tools = bindTools(deps, caller, workspaceId, { signal, outOfTime: () => false })
    const message = analysedText(statements.map(({ text: statement }) => statement).join('\n'))
    try {
      const findings = await span('ask: check', {}, () =>
        mapTogether(
          statements,
          (statement) => checkStatement(tools, message, statement.text),
          (error) => failed.abort(error),
        ),
      )
      return asCheck(statements.map((statement, i) => asSentence(deps, workspaceId, statement, findings[i])))
    } catch (error) {
      // A text that takes too long has had its work.
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
  const passages = (finding?.evidence ?? []).map(({ text: quote, found: { passage } }): TextEvidence => {
    const { chunk_id, document_id, document_title, page, type } = passage
    const source_url = passageUrl(deps, workspaceId, passage)
    return { text: quote, type, chunk_id, document_id, document_title, page, source_url }
  })
  return { text, start, end, verdict: finding?.verdict ?? 'not_found', passages }
}
