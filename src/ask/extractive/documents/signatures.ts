// Signatures ("Who signed the amendment?"): the names are at the end of a text next to a signature line, and no
// sentence says "signed". English, German, French, Spanish.

import type { Passage } from '../../../search/passage.ts'
import { innermostHeading } from '../../passage.ts'
import { escapeMarkdown } from '../quote.ts'
import {
  type DocumentReader,
  type DocumentSearch,
  documentNamed,
  type Line,
  type Outline,
  readWholeDocument,
} from './outline.ts'

const WHO = 'who|by whom|whose signatures?|wer|von wem|qui|par qui|quién(?:es)?|por quién'
const SIGNS =
  'sign(?:s|ed|ing)?|unterschrieben|unterzeichnete?n?|unterschrieb(?:en)?|signée?s?|firm(?:ó|aron|ado|a|an)'
const ASKED = new RegExp(`^[¿\\s]*(?:${WHO})(?![\\p{L}]).*?(?<![\\p{L}])(?:${SIGNS})(?![\\p{L}])`, 'iu')
const WORDS = new RegExp(`(?<![\\p{L}])(?:${WHO}|${SIGNS})(?![\\p{L}])`, 'giu')

/** What was signed, in the question's words; undefined for any other question. */
export const signaturesAsked = (question: string): string | undefined =>
  ASKED.test(question) ? question.replace(WORDS, ' ') : undefined

const SIGNATURE_LINE = /_{4,}|\.{8,}|…{3,}/
const SIGNED = /^[|\s]*(?:signed|gez\.|unterzeichnet|unterschrieben|signé|fait à|firmado)(?![\p{L}])/imu
const HEADING = /^(?:signatures?|signed|unterschrift(?:en)?|firmas?)$/iu
const NAME = /\p{Lu}\p{Ll}+\s+(?:\p{Lu}\.\s+)?\p{Lu}\p{Ll}+/u
const LONGEST = 600

/** The signatures of the document named; undefined when no document is named or it has none. */
export async function quoteSignatures(
  tools: DocumentReader,
  { found, keywords, wording }: DocumentSearch,
): Promise<Outline | undefined> {
  const document = documentNamed(found, keywords)
  if (!document) return undefined
  const lines = (await readWholeDocument(tools, document.id)).flatMap(signaturesIn)
  return lines.length ? { lead: wording.found, lines, isTruncated: false } : undefined
}

function signaturesIn(passage: Passage): Line[] {
  const { text } = passage
  const start = HEADING.test(innermostHeading(passage))
    ? 0
    : Math.min(...[SIGNATURE_LINE, SIGNED].map((mark) => lineStart(text, mark)))
  if (!Number.isFinite(start)) return []
  const said = text
    .slice(start)
    .replace(/[|\s]*-{3,}[|\s-]*$/u, '')
    .replace(/[|_\s]+/g, ' ')
    .trim()
  if (!NAME.test(said)) return []
  return [{ quote: `“${escapeMarkdown(said.slice(0, LONGEST))}”`, items: [], passage }]
}

/** The start of the first line that matches. */
function lineStart(text: string, mark: RegExp): number {
  const at = text.search(mark)
  return at < 0 ? Number.POSITIVE_INFINITY : text.lastIndexOf('\n', at) + 1
}
