// XQuAD: the same paragraphs and questions in many languages (github.com/google-deepmind/xquad). Either its own files,
// `xquad.ru.json`, or folders of a language each in the layout of docs/evaluation.md. Every second article is loaded.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type KnownQuestion, readQuestions } from '../../src/eval/answers/questions.ts'
import { exists, type SetDocument } from '../../src/eval/set/set.ts'

type Question = Pick<KnownQuestion, 'id' | 'text' | 'documents'>

export interface LanguageSet {
  language: string
  /** Those that are loaded. */
  documents: SetDocument[]
  answerable: Question[]
  /** The paragraphs that answer these are not loaded. */
  unanswerable: Question[]
}

const FILE = /^xquad\.(\w+)\.json$/

/** Those of the folder, by name; `only` these, where it is given. */
export async function languagesIn(folder: string, only?: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of await readdir(folder)) {
    const language = FILE.exec(name)?.[1] ?? name
    const isSet = language !== name || (await exists(join(folder, name, 'queries.jsonl')))
    if (isSet && (only === undefined || only.includes(language))) found.push(language)
  }
  return [...new Set(found)].sort()
}

export async function readLanguage(folder: string, language: string): Promise<LanguageSet> {
  const isFolder = await exists(join(folder, language, 'queries.jsonl'))
  const { documents, questions } = isFolder
    ? await readQuestions(join(folder, language), true)
    : published(JSON.parse(await readFile(join(folder, `xquad.${language}.json`), 'utf8')), language)
  const hasAnswer = (one: Question): boolean => [...one.documents].some(isLoaded)
  return {
    language,
    documents: (documents ?? []).filter(({ id }) => isLoaded(id)),
    answerable: questions.filter(hasAnswer),
    unanswerable: questions.filter((one) => !hasAnswer(one)),
  }
}

// An id is the language, the article's two digits and the paragraph.
const isLoaded = (id: string): boolean => Number(/^\D*(\d\d)/.exec(id)?.[1]) % 2 === 0

const Published = z.object({
  data: z.array(
    z.object({
      paragraphs: z.array(
        z.object({
          context: z.string(),
          qas: z.array(z.object({ id: z.string(), question: z.string() })),
        }),
      ),
    }),
  ),
})

/** The file as it is published, with the ids of the folders. */
export function published(
  file: unknown,
  language: string,
): { documents: SetDocument[]; questions: Question[] } {
  const two = (n: number): string => String(n).padStart(2, '0')
  const paragraphs = Published.parse(file).data.flatMap((article, a) =>
    article.paragraphs.map((paragraph, p) => ({ ...paragraph, id: `${language}${two(a)}_${two(p)}` })),
  )
  return {
    documents: paragraphs.map(({ id, context }) => ({ id, title: '', text: context })),
    questions: paragraphs.flatMap(({ id, qas }) =>
      qas.map((one) => ({ id: `${language}${one.id}`, text: one.question, documents: new Set([id]) })),
    ),
  }
}
