// A set of questions with known answers (docs/evaluation.md, "Answers"): a search set whose queries.jsonl may also have
// answers, pages and evidence sentences. A question without a relevant document or page has no answer.

import { z } from 'zod'
import { wrongSet } from '../error.ts'
import { readJudgments } from '../set/qrels.ts'
import {
  isSingleFile,
  nameOf,
  readDocuments,
  readQueries,
  requireWorkspaceFor,
  type SetDocument,
  SINGLE_FILE_FIELDS,
  withId,
} from '../set/set.ts'

export interface KnownQuestion {
  id: string
  text: string
  /** Forms of the answer. Empty if it is not known, or if finding it in a text would prove nothing, as with "yes". */
  answers: string[]
  /** Documents with the answer. Empty if there is none, so that a refusal is right. */
  documents: ReadonlySet<string>
  /** Sentences that support the answer, verbatim. */
  facts: string[]
  pages: { document: string; page: number }[]
}

export interface QuestionSet {
  name: string
  documents: SetDocument[] | undefined
  questions: KnownQuestion[]
}

const fields = {
  text: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(8000, 'must have at most 8,000 characters'),
  answer: z.union([z.string(), z.number().transform(String)]).nullish(),
  aliases: z.array(z.string()).nullish(),
  facts: z.array(z.string()).nullish(),
  pages: z.array(z.object({ document: z.string().min(1), page: z.int().min(1) })).nullish(),
}
const QuestionLine = withId(fields)
const SingleFileQuestion = withId({ ...fields, ...SINGLE_FILE_FIELDS })

// Many replies contain these words, whatever the question is.
const UNSPECIFIC_ANSWER = /^(?:yes|no|true|false|before|after|insufficient information)\.?$/i

/** @param withDocuments false for the documents of an existing workspace. @throws EvaluationFailed */
export async function readQuestions(folder: string, withDocuments: boolean): Promise<QuestionSet> {
  requireWorkspaceFor(folder, withDocuments)
  const documents = withDocuments ? await readDocuments(folder) : undefined
  const isSingle = isSingleFile(folder)
  const entries = isSingle
    ? await readQueries(folder, SingleFileQuestion)
    : await readQueries(folder, QuestionLine)
  const lines = new Map([...entries].map(([id, line]) => [id, { documents: {}, unjudged: false, ...line }]))
  const documentIds = documents && new Set(documents.map((document) => document.id))
  const judgments = isSingle
    ? new Map([...lines].map(([id, line]) => [id, new Map(Object.entries<number>(line.documents))]))
    : await readJudgments(folder, new Set(lines.keys()), documentIds)
  const judgedLines = [...lines.values()].filter(({ unjudged }) => !unjudged)
  const questions = judgedLines.map(({ id, text, answer, aliases, facts, pages }): KnownQuestion => {
    const relevantDocuments = [...(judgments.get(id) ?? [])]
      .filter(([, grade]) => grade > 0)
      .map(([name]) => name)
    const missingPage = (pages ?? []).find(({ document }) => documentIds && !documentIds.has(document))
    if (missingPage)
      throw wrongSet(`queries.jsonl, "${id}": the set has no document "${missingPage.document}".`)
    return {
      id,
      text,
      answers: [answer ?? '', ...(aliases ?? [])].filter(
        (answer) => answer.trim() && !UNSPECIFIC_ANSWER.test(answer.trim()),
      ),
      documents: new Set([...relevantDocuments, ...(pages ?? []).map(({ document }) => document)]),
      facts,
      pages: pages ?? [],
    }
  })
  return { name: nameOf(folder), documents, questions }
}
