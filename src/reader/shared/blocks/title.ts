// Chooses the title of a document. It is the title in the metadata, unless that is generic or unreadable. Otherwise it is the
// first useful heading. If there is no such heading, the caller uses the file name.

import type { Block } from '../../block.ts'
import { cleanText } from './clean.ts'
import { repairMojibake } from './mojibake.ts'

const MAX_TITLE_CHARACTERS = 300
// A heading after this many blocks is the title of a part, not of the document.
const MAX_BLOCKS_TO_TITLE = 30
const LOWEST_LEVEL = 6

const genericTitles = [
  /^\(?(anonymous|unspecified|unknown)\)?$/i,
  /^microsoft (office )?(word|powerpoint|excel)\b/i,
  /^(untitled( (document|spreadsheet|presentation))?|unbenannt|no title|title|titel|document|dokument|presentation|pr[äa]sentation|(powerpoint|pptxgenjs)( presentation)?)[\s\d_-]*$/i,
  /^(slide|book|sheet|tabelle|mappe|page|scan|image|img|file|layout)[\s\d_-]*$/i,
  /\.(docx?|pdf|xlsx?|pptx?|indd|qxd|tiff?|jpe?g|png|p65|fm|rtf|html?|odt|tex|dvi|ps|txt)$/i,
  /^[\s\d\p{P}\p{S}]*$/u,
  // A UUID.
  /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i,
  /^(https?:|file:|[a-z]:\\|\/)/i,
  /^(about:blank|print|output|temp|tmp|test)$/i,
]

// Headings that occur in many documents, alone or with a number: "2. Introduction", "CHAPTER I", "FORM 10-Q".
const NUMBER = '(?:\\d[\\w.\\-–]*|[ivxlcdm]+|[a-z]\\d*|one|two|three|first|second|eins|zwei|un|deux|uno|dos)'
const NUMBERED =
  'chapter|part|section|article|item|appendix|annex|exhibit|schedule|attachment|form|page|kapitel|teil|abschnitt|artikel|anhang|anlage|formular|seite|chapitre|partie|annexe|formulaire|cap[íi]tulo|parte|secci[óo]n|art[íi]culo|anexo|formulario|p[áa]gina|capitolo|allegato|hoofdstuk|bijlage'
const UNNUMBERED =
  '(?:table of )?contents|index|introduction|preface|foreword|abstract|(?:executive )?summary|overview|cover(?: page)?|title page|references|bibliography|glossary|acknowledge?ments|agenda|draft|confidential|inhalt(?:sverzeichnis|sübersicht)?|einleitung|einführung|vorwort|zusammenfassung|deckblatt|entwurf|vertraulich|table des mati[èe]res|sommaire|avant-propos|pr[ée]face|r[ée]sum[ée]|confidentiel|[íi]ndice|tabla de contenidos?|contenidos?|introducci[óo]n|pr[óo]logo|resumen|borrador|confidencial|sommario|introduzione|sum[áa]rio|introdu[çc][ãa]o|inhoud(?:sopgave)?|inleiding'
const sectionHeading = new RegExp(
  `^(?:${NUMBER}[.):]*\\s+)?(?:${UNNUMBERED}|(?:${NUMBERED})(?:\\s+${NUMBER})?)[.:]*$`,
  'iu',
)

/** The title from the metadata property or the blocks, undefined if neither gives a useful one. */
export function chooseTitle(property: string | undefined, blocks: readonly Block[]): string | undefined {
  const ownTitle = usefulTitle(property)
  if (ownTitle !== undefined) return ownTitle
  let best: { level: number; title: string } | undefined
  for (const { kind, level = LOWEST_LEVEL, page = 1, text, hidden } of blocks.slice(0, MAX_BLOCKS_TO_TITLE)) {
    if (hidden || kind !== 'heading' || page !== 1 || level >= (best?.level ?? LOWEST_LEVEL + 1)) continue
    const title = usefulTitle(text)
    if (title !== undefined) best = { level, title }
  }
  return best?.title
}

function usefulTitle(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const line = cleanText(repairMojibake(text)).replace(/\s+/g, ' ').trim()
  if (line.length < 3 || line.length > MAX_TITLE_CHARACTERS || !isReadable(line)) return undefined
  return sectionHeading.test(line) || genericTitles.some((pattern) => pattern.test(line)) ? undefined : line
}

/** Whether a line was decoded without loss and has mostly letters and digits. */
function isReadable(line: string): boolean {
  if (/[\ufffd\p{Cc}\p{Co}\p{Cn}]/u.test(line)) return false
  const letterCount = line.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0
  return letterCount * 2 >= line.replaceAll(' ', '').length
}
