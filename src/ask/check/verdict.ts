// The verdict on one statement of a draft: its passages, what each piece of them says of it, and what holds where they disagree.

import type { TextVerdict } from '../../contract/checks.ts'
import type { AnalysedText } from '../../language/analysed-text.ts'
import { guessLanguage } from '../../language/guess.ts'
import type { Language } from '../../language/language.ts'
import { answerLanguage } from '../answer-language.ts'
import {
  amends,
  type Beginnings,
  beginningsOf,
  clauseNumber,
  isOfAmendment,
  namesAnyClause,
} from '../extractive/amendments.ts'
import { type Evidence, evidenceIn, type FoundPassage } from '../extractive/evidence.ts'
import { lookUpTerms } from '../extractive/retrieval.ts'
import type { Tools } from '../tools/tools.ts'
import { type Claim, claimOf } from './claim.ts'
import { type Judgement, judge } from './compare.ts'
import { hasEnded, validPassages } from './validity.ts'
import { compareValues, valuesIn } from './values.ts'

export interface Finding {
  verdict: TextVerdict
  /** What says so, the best first; none where nothing does. */
  evidence: Evidence[]
}

const LIMIT = 24
// Without its values: they are others where a passage contradicts it.
const LIMIT_WITHOUT_VALUES = 12
const AMENDMENT_LIMIT = 8
const MAX_TITLE_LENGTH = 200
const MAX_EVIDENCE = 3
const NOT_FOUND: Finding = { verdict: 'not_found', evidence: [] }

interface Judged {
  evidence: Evidence
  judgement: Judgement
}

export async function checkStatement(tools: Tools, draft: AnalysedText, text: string): Promise<Finding> {
  const statement = draft.part(text)
  const { statistics, synonyms, languages } = await lookUpTerms(tools, {
    text: statement,
    message: statement,
  })
  const language = languageOf(statement, draft, languages)
  const claim = claimOf(text, language, statistics)
  if (claim.words.length === 0) return NOT_FOUND
  const query = `${text} ${synonyms}`.trim()
  const passages = [
    ...(await tools.search(query, LIMIT)),
    ...(claim.values.length > 0 ? await tools.search(withoutValues(claim), LIMIT_WITHOUT_VALUES) : []),
  ]
  const passagesById = new Map<string, FoundPassage>()
  for (const [rank, passage] of passages.entries())
    if (!passagesById.has(passage.chunk_id))
      passagesById.set(passage.chunk_id, { passage, relevance: 1, rank })
  const today = new Date().toISOString().slice(0, 10)
  const valid = (pieces: readonly Evidence[]): Judged[] =>
    judgeAll(
      claim,
      pieces.filter((piece) => !hasEnded(piece, { text }, today)),
    )
  const judged = valid(evidenceIn(await validPassages(tools, { text, language }, passagesById, today)))
  const supporting = judged.filter(({ judgement }) => judgement.verdict === 'supported')
  const amendments = valid(await amendmentsOf(tools, supporting))
  return settle(claim, judged, amendments)
}

/** By its small words, which tell a short sentence best; else that of the draft or of the workspace, whichever is likelier. */
function languageOf(statement: AnalysedText, draft: AnalysedText, languages: readonly Language[]): Language {
  const tongue = answerLanguage(statement)
  return tongue === 'en' ? statement.languageAmong([...languages, guessLanguage(draft)]) : tongue
}

const withoutValues = ({ text, values }: Claim): string =>
  values.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text)

const judgeAll = (claim: Claim, pieces: readonly Evidence[]): Judged[] =>
  pieces.map((evidence) => ({ evidence, judgement: judge(claim, evidence) }))

/** What other documents say of what supports a statement, by the number of its clause where it has one. */
async function amendmentsOf(tools: Tools, [best]: readonly Judged[]): Promise<Evidence[]> {
  if (!best) return []
  const number = clauseNumber(best.evidence)
  const title = best.evidence.found.passage.document_title
    .replace(/["“”«»„]/gu, ' ')
    .slice(0, MAX_TITLE_LENGTH)
  const query = number === undefined ? `${title} ${best.evidence.text}` : `"${number}" ${title}`
  const passages = await tools.search(query, AMENDMENT_LIMIT)
  return evidenceIn(passages.map((passage, rank) => ({ passage, relevance: 1, rank })))
}

/** What holds: a statement of a document that another one amends does not, where that gives another value or denies it. */
function settle(claim: Claim, judged: readonly Judged[], amendments: readonly Judged[]): Finding {
  const of = (verdict: Judgement['verdict']): Evidence[] =>
    judged
      .filter(({ judgement }) => judgement.verdict === verdict)
      .sort((a, b) => b.judgement.share - a.judgement.share)
      .map(({ evidence }) => evidence)
  const [supporting, contradicting] = [of('supported'), of('contradicted')]
  const all = [...judged, ...amendments]
  const beginnings = beginningsOf(all.map(({ evidence }) => evidence))
  const overruling = all
    .filter(
      (later) =>
        supporting.length > 0 && supporting.every((earlier) => overrules(claim, later, earlier, beginnings)),
    )
    .map(({ evidence }) => evidence)
  if (overruling.length > 0) return finding('contradicted', overruling)
  if (supporting.length > 0) return finding('supported', supporting)
  return contradicting.length > 0 ? finding('contradicted', contradicting) : NOT_FOUND
}

const finding = (verdict: TextVerdict, evidence: readonly Evidence[]): Finding => ({
  verdict,
  evidence: distinct(evidence).slice(0, MAX_EVIDENCE),
})

function distinct(pieces: readonly Evidence[]): Evidence[] {
  const keys = new Set<string>()
  return pieces.filter(({ text, found: { passage } }) => {
    const key = `${passage.document_id} ${text}`
    return !keys.has(key) && keys.add(key)
  })
}

/**
 * Whether an amendment says otherwise: it contradicts the claim, or a sentence of it gives another value, as "the words 'six months'
 * are replaced by 'three months'" does, which says both, the new one last.
 */
function overrules(claim: Claim, later: Judged, earlier: Evidence, beginnings: Beginnings): boolean {
  const { evidence, judgement } = later
  // What contradicts the claim and names no clause need not repeat the words of the clause that it changes.
  const isContradicted = judgement.verdict === 'contradicted'
  if (isContradicted && !namesAnyClause(evidence)) return isOfAmendment(evidence, earlier, beginnings)
  if (!amends(evidence, earlier, beginnings)) return false
  if (isContradicted) return true
  // A row has other values in its other columns.
  if (evidence.cells) return false
  const statedValues = valuesIn(evidence.text, evidence.own.language)
  return claim.values.some((value) => {
    const same = statedValues.findLast((other) => compareValues(value, other) === 'same')
    return statedValues.some(
      (other) => compareValues(value, other) === 'other' && other.start > (same?.start ?? -1),
    )
  })
}
