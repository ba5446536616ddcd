// The verdict on one statement of a draft: finds its passages, judges the statement by each piece of them, and settles
// contradictions.

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
  /** The evidence for the verdict, the best first. Empty for `not_found`. */
  evidence: Evidence[]
}

const SEARCH_LIMIT = 24
// A second search leaves out the values of the statement, because a passage that contradicts it has other values.
const SEARCH_LIMIT_WITHOUT_VALUES = 12
const AMENDMENT_LIMIT = 8
const MAX_TITLE_LENGTH = 200
const MAX_EVIDENCE = 3
const NOT_FOUND: Finding = { verdict: 'not_found', evidence: [] }

interface JudgedEvidence {
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
    ...(await tools.search(query, SEARCH_LIMIT)),
    ...(claim.values.length > 0 ? await tools.search(withoutValues(claim), SEARCH_LIMIT_WITHOUT_VALUES) : []),
  ]
  const passagesById = new Map<string, FoundPassage>()
  for (const [rank, passage] of passages.entries())
    if (!passagesById.has(passage.chunk_id))
      passagesById.set(passage.chunk_id, { passage, relevance: 1, rank })
  const today = new Date().toISOString().slice(0, 10)
  const judgeValid = (pieces: readonly Evidence[]): JudgedEvidence[] =>
    judgeAll(
      claim,
      pieces.filter((piece) => !hasEnded(piece, { text }, today)),
    )
  const judgedPieces = judgeValid(
    evidenceIn(await validPassages(tools, { text, language }, passagesById, today)),
  )
  const supporting = judgedPieces.filter(({ judgement }) => judgement.verdict === 'supported')
  const amendments = judgeValid(await amendmentsOf(tools, supporting))
  return settle(claim, judgedPieces, amendments)
}

/**
 * The language of a statement: by its function words if they show one, else the likeliest of those of the workspace and the draft.
 */
function languageOf(statement: AnalysedText, draft: AnalysedText, languages: readonly Language[]): Language {
  const language = answerLanguage(statement)
  // English is also the result if no language was recognised.
  return language === 'en' ? statement.languageAmong([...languages, guessLanguage(draft)]) : language
}

const withoutValues = ({ text, values }: Claim): string =>
  values.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text)

const judgeAll = (claim: Claim, pieces: readonly Evidence[]): JudgedEvidence[] =>
  pieces.map((evidence) => ({ evidence, judgement: judge(claim, evidence) }))

/** Evidence that may amend the best supporting evidence. It is searched for by the number of its clause if it has one. */
async function amendmentsOf(tools: Tools, [best]: readonly JudgedEvidence[]): Promise<Evidence[]> {
  if (!best) return []
  const number = clauseNumber(best.evidence)
  const title = best.evidence.foundPassage.passage.document_title
    .replace(/["“”«»„]/gu, ' ')
    .slice(0, MAX_TITLE_LENGTH)
  const query = number === undefined ? `${title} ${best.evidence.text}` : `"${number}" ${title}`
  const passages = await tools.search(query, AMENDMENT_LIMIT)
  return evidenceIn(passages.map((passage, rank) => ({ passage, relevance: 1, rank })))
}

/** The verdict by all evidence. Supporting evidence does not count if amendments overrule all of it. */
function settle(
  claim: Claim,
  judgedPieces: readonly JudgedEvidence[],
  amendments: readonly JudgedEvidence[],
): Finding {
  const evidenceWith = (verdict: Judgement['verdict']): Evidence[] =>
    judgedPieces
      .filter(({ judgement }) => judgement.verdict === verdict)
      .sort((a, b) => b.judgement.share - a.judgement.share)
      .map(({ evidence }) => evidence)
  const [supporting, contradicting] = [evidenceWith('supported'), evidenceWith('contradicted')]
  const all = [...judgedPieces, ...amendments]
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
  return pieces.filter(({ text, foundPassage: { passage } }) => {
    const key = `${passage.document_id} ${text}`
    return !keys.has(key) && keys.add(key)
  })
}

/**
 * Whether an amendment overrules earlier evidence: it contradicts the claim, or it states another value after that of the claim.
 * "The words 'six months' are replaced by 'three months'" states both values, the new one last.
 */
function overrules(claim: Claim, later: JudgedEvidence, earlier: Evidence, beginnings: Beginnings): boolean {
  const { evidence, judgement } = later
  // An amendment that contradicts the claim and names no clause need not share words with the clause that it changes.
  const isContradicted = judgement.verdict === 'contradicted'
  if (isContradicted && !namesAnyClause(evidence)) return isOfAmendment(evidence, earlier, beginnings)
  if (!amends(evidence, earlier, beginnings)) return false
  if (isContradicted) return true
  // A row always has other values in its other columns.
  if (evidence.cells) return false
  const statedValues = valuesIn(evidence.text, evidence.ownTerms.language)
  return claim.values.some((value) => {
    const same = statedValues.findLast((other) => compareValues(value, other) === 'same')
    return statedValues.some(
      (other) => compareValues(value, other) === 'other' && other.start > (same?.start ?? -1),
    )
  })
}
