// Records of a document: neighbouring headings of one kind ("Project Alder", "Project Birch"), each with attributes below it ("Lead:
// Greta Olsen. Budget: 20,000 euros."). The heading is the name of the record. Pure.

import { contentTerms } from '../../language/analyse.ts'
import type { Language } from '../../language/language.ts'
import { fold, words } from '../../language/words.ts'
import type { Passage } from '../../search/passage.ts'
import type { Cell } from '../markdown-table.ts'
import type { PassageRow, SourceTable } from '../tools/tools.ts'
import { headingsIn, withoutNumber } from './text-structure.ts'

interface Section {
  name: string
  /** The headings above it. */
  parent: string
  body: string
  passage: Passage
}

// Matches each attribute of "Lead: Greta Olsen. Country: Norway.", or of lines with one attribute each.
const KEY_PATTERN = String.raw`\p{Lu}[\p{L}\p{N} /()-]{1,30}`
const ATTRIBUTE = new RegExp(
  String.raw`(?:^|(?<=[.;,!?]\s)|(?<=\n))[ \t]*(?<key>${KEY_PATTERN})[:：][ \t]+(?<value>[^\n]+?)(?=[.;]?\s*(?:\n|$)|[.;,]\s+${KEY_PATTERN}[:：]\s)`,
  'gu',
)

/** The attributes in a text, in order. Other words of the text are left out. */
export function attributesOf(text: string): Cell[] {
  const withoutMarkup = text.replace(/\*\*|__/g, '').replace(/^[ \t]*[-*•][ \t]+/gmu, '')
  return [...withoutMarkup.matchAll(ATTRIBUTE)].flatMap(({ groups }) =>
    groups?.key && groups.value ? [{ header: groups.key.trim(), text: groups.value.trim() }] : [],
  )
}

// More words before a colon are the beginning of a sentence: "It answers one question: …".
const MAX_KEY_WORDS = 3

/** Whether the text consists only of attributes: "Budget: 20,000 euros." */
export function isAttribute(text: string): boolean {
  const withoutMarkup = text.replace(/\*\*|__/g, '').replace(/^[ \t]*[-*•][ \t]+/gmu, '')
  const attributes = attributesOf(text)
  return (
    attributes.length > 0 &&
    attributes.every(({ header }) => wordsOf(header).length <= MAX_KEY_WORDS) &&
    withoutMarkup.replace(ATTRIBUTE, '').replace(/[\s.;,]/g, '') === ''
  )
}

const MIN_RECORDS = 2
// Records must have a word of their headings or an attribute in common; at least this share of the neighbouring headings must have
// it.
const MIN_SHARED = 0.6

/** The records of a document. The records below one heading become one table. */
export function recordTables(passages: readonly Passage[], file: string): SourceTable[] {
  const groups = groupBy(sectionsOf(passages), ({ parent }) => parent)
  return [...groups].flatMap(([parent, sections]) => tableOf(parent, sections, file) ?? [])
}

function tableOf(parent: string, sections: readonly Section[], file: string): SourceTable | undefined {
  const [first] = sections
  if (!first || sections.length < MIN_RECORDS) return undefined
  const { language, document_title: title } = first.passage
  const kindWord = sharedWord(sections, language)
  const records = sections.filter(({ name, body }) =>
    kindWord ? wordsOf(name).includes(kindWord.key) : attributesOf(body).length > 0,
  )
  const attributes = new Map(records.map((record) => [record, attributesOf(record.body)]))
  const sharedHeaders = new Set(
    [...attributes.values()]
      .flatMap((cells) => [...new Set(cells.map(({ header }) => header))])
      .filter(
        (header, _i, all) => all.filter((other) => other === header).length >= MIN_SHARED * records.length,
      ),
  )
  if (records.length < MIN_RECORDS || (!kindWord && sharedHeaders.size === 0)) return undefined
  const kind = kindWord?.word ?? lastHeadingOf(parent) ?? title
  const rows = records.map(
    (record): PassageRow => ({
      line: record.body,
      cells: [
        { header: kind, text: record.name },
        ...(attributes.get(record) ?? []).filter(({ header }) => header !== kind),
      ],
      passage: record.passage,
    }),
  )
  return { rows, title, heading: parent, file, isPartial: false, kind }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const lastHeadingOf = (path: string): string | undefined => path.split(' > ').at(-1)?.trim() || undefined

const wordsOf = (name: string): string[] => [...words(name)].map(({ raw }) => fold(raw))

/** The first or last word that most of the names share, if it is a content word: "Project" of "Project Alder", "Project Birch". */
function sharedWord(
  sections: readonly Section[],
  language: Language,
): { key: string; word: string } | undefined {
  for (const at of [0, -1]) {
    const edgeWords = sections.map(({ name }) => [...words(name)].at(at)?.raw ?? '')
    const counts = groupBy(edgeWords, fold)
    const [foldedWord, sameWords] = [...counts].sort(([, a], [, b]) => b.length - a.length)[0] ?? []
    const word = sameWords?.[0]
    const isMajority = sameWords && sameWords.length >= Math.max(MIN_RECORDS, MIN_SHARED * sections.length)
    // A number is not the word for a kind of record.
    const isKind = word && /\p{L}/u.test(word) && contentTerms(word, language).length > 0
    const haveSeveralWords = (): boolean => sections.some(({ name }) => wordsOf(name).length > 1)
    if (foldedWord && isMajority && isKind && haveSeveralWords()) return { key: foldedWord, word }
  }
  return undefined
}

/** Each heading with the text below it, which may continue in further passages. */
function sectionsOf(passages: readonly Passage[]): Section[] {
  const sections = new Map<string, Section>()
  for (const passage of passages) {
    if (passage.type !== 'text' || passage.heading === '') continue
    const path = passage.heading.split(' > ')
    const headingsInPassage = new Set(headingsIn(passage.text).map(({ text }) => text))
    let name = path.at(-1) ?? ''
    let parent = path.slice(0, -1).join(' > ')
    let hasBody = false
    for (const paragraph of passage.text.split(/\n{2,}/)) {
      const text = paragraph.trim()
      const headingText = text.replace(/^#+\s*/, '')
      if (headingText === '' || path.includes(headingText)) continue
      if (headingsInPassage.has(headingText) && headingText !== name) {
        // If a heading has no text of its own, the headings in the passage are below it.
        if (!hasBody && name === path.at(-1)) parent = passage.heading
        name = headingText
        continue
      }
      hasBody = true
      const key = `${parent}\n${name}`
      const existing = sections.get(key)
      if (existing) existing.body += `\n${text}`
      else sections.set(key, { name: withoutNumber(name), parent, body: text, passage })
    }
  }
  return [...sections.values()]
}
