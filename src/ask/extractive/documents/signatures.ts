// "Who signed the amendment?": the names stand under a text, beside a line to sign on, and no sentence says the word.
// English, German, French, Spanish.

import type { Passage } from '../../../search/passage.ts'
import type { Tools } from '../../tools/tools.ts'
import type { Found } from '../evidence.ts'
import type { Part } from '../keywords.ts'
import { escapeMarkdown } from '../quote.ts'
import type { Wording } from '../wording.ts'
import type { Line, Outline } from './outline.ts'
import { documentsNamed, headingOf, readWhole } from './outline.ts'

const WHO = 'who|by whom|whose signatures?|wer|von wem|qui|par qui|quién(?:es)?|por quién'
const SIGNS =
  'sign(?:s|ed|ing)?|unterschrieben|unterzeichnete?n?|unterschrieb(?:en)?|signée?s?|firm(?:ó|aron|ado|a|an)'
const ASKED = new RegExp(`^[¿\\s]*(?:${WHO})(?![\\p{L}]).*?(?<![\\p{L}])(?:${SIGNS})(?![\\p{L}])`, 'iu')
const WORDS = new RegExp(`(?<![\\p{L}])(?:${WHO}|${SIGNS})(?![\\p{L}])`, 'giu')

/** What was signed, in the question's words; undefined for another question. */
export const signedAsked = (question: string): string | undefined =>
  ASKED.test(question) ? question.replace(WORDS, ' ') : undefined

const LINE = /_{4,}|\.{8,}|…{3,}/
const SIGNED = /^[|\s]*(?:signed|gez\.|unterzeichnet|unterschrieben|signé|fait à|firmado)(?![\p{L}])/imu
const HEADING = /^(?:signatures?|signed|unterschrift(?:en)?|firmas?)$/iu
const NAME = /\p{Lu}\p{Ll}+\s+(?:\p{Lu}\.\s+)?\p{Lu}\p{Ll}+/u
const NAMED = 0.5
const LONGEST = 600

/** What stands where the document named is signed; undefined when no document is named, or nothing of the kind is in it. */
export async function quoteSignatures(
  tools: Pick<Tools, 'read' | 'late'>,
  { found, parts, says }: { found: readonly Found[]; parts: readonly Part[]; says: Wording },
): Promise<Outline | undefined> {
  const [document] = documentsNamed(found, parts)
  if (!document || parts.length === 0 || document.share < NAMED) return undefined
  const lines = (await readWhole(tools, document.id)).flatMap(signaturesIn)
  return lines.length ? { lead: says.found, lines, cut: false } : undefined
}

function signaturesIn(passage: Passage): Line[] {
  const { text } = passage
  const marked = HEADING.test(headingOf(passage))
    ? 0
    : Math.min(...[LINE, SIGNED].map((mark) => placeOf(text, mark)))
  if (!Number.isFinite(marked)) return []
  const said = text
    .slice(marked)
    .replace(/[|\s]*-{3,}[|\s-]*$/u, '')
    .replace(/[|_\s]+/g, ' ')
    .trim()
  if (!NAME.test(said)) return []
  return [{ quote: `“${escapeMarkdown(said.slice(0, LONGEST))}”`, items: [], passage }]
}

/** Where the line begins on which the mark stands. */
function placeOf(text: string, mark: RegExp): number {
  const at = text.search(mark)
  return at < 0 ? Number.POSITIVE_INFINITY : text.lastIndexOf('\n', at) + 1
}
