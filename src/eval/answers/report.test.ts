import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readQuestions } from './questions.ts'
import { type AnswerRun, answersHtml, printAnswers } from './report.ts'
import { resultOf, summariseAnswers } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'kenning-answers-'))
afterAll(() => rmSync(folder, { recursive: true }))
const write = (name: string, lines: (object | string)[]) =>
  writeFileSync(
    join(folder, name),
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )

test('a set with an answerable and an unanswerable question, from file to report', async () => {
  write('corpus.jsonl', [{ id: 'd1', title: 'Lease', text: 'Notice is three months.' }])
  write('facts.jsonl', [{ id: 'f1', fact: 'Notice is three months.' }])
  write('queries.jsonl', [
    { id: 'q1', text: 'What notice?', answer: 'three months', facts: ['f1'] },
    { id: 'q2', text: 'Who <b>won</b>?', answer: 'Insufficient information.' },
  ])
  write('qrels.tsv', ['q1\td1\t1'])
  const set = await readQuestions(folder, true)
  expect(set.questions.map(({ answers, documents }) => [answers, [...documents]])).toEqual([
    [['three months'], ['d1']],
    [[], []],
  ])
  const text = 'Notice is three months.'
  const time = { ms: 120, firstStepMs: 8, steps: 2, tokens: 0 }
  const cited = [{ number: 1, text, page: null, documents: ['d1'], verbatim: true }]
  const results = set.questions.map((question, i) =>
    resultOf(
      question,
      i
        ? { text: 'Not found.', citations: [], ...time }
        : { text: `“${text}” [1]`, citations: cited, ...time },
    ),
  )
  const run: AnswerRun = {
    format: 'kenning-answers-1',
    set: 'mine',
    label: 'now',
    target: 'a temporary service',
    version: '1',
    at: '2026-01-01T00:00:00Z',
    documents: 1,
    unread: [],
    metrics: summariseAnswers(results),
    questions: results,
  }
  expect(Object.fromEntries(run.metrics.map(({ metric, mean }) => [metric, mean]))).toEqual({
    answered: 1,
    refused: 1,
    'answer in reply': 1,
    'answer cited': 1,
    'evidence recall': 1,
    'facts cited': 1,
    'citation precision': 1,
    'citations hold': 1,
  })
  expect(printAnswers(run)).toMatch(
    /mine: 1 documents, 2 questions, 1 of them without an answer[\s\S]*answer: p50 0\.12 s/,
  )
  expect(printAnswers(run)).toContain('tokens: 0, no language model')
  const [first, ...others] = results.map((result) => ({ ...result, tokens: 1500 }))
  const spent = { ...run, questions: [...others, ...(first ? [{ ...first, tokens: undefined }] : [])] }
  expect(printAnswers(spent)).toContain(
    'tokens: 1,500 in all, p50 1,500, p95 1,500 a question; 1 questions without a report',
  )
  const page = answersHtml(spent)
  expect(page).toContain('1,500 tokens')
  expect(page).toContain('Who &lt;b&gt;won&lt;/b&gt;?')
  expect(page).not.toContain('<b>won')
})

test('a page of a document that is not in the set is refused', async () => {
  write('queries.jsonl', [{ id: 'q1', text: 'What?', pages: [{ document: 'none.pdf', page: 1 }] }])
  write('qrels.tsv', ['q1\td1\t1'])
  write('facts.jsonl', [])
  await expect(readQuestions(folder, true)).rejects.toThrow('no document "none.pdf"')
})
