// The words of one picture inside a document: read once upright in the document's language, and once more where the words
// tell another one.

import { guessLanguage } from '../../../language/guess.ts'
import type { Language } from '../../../language/language.ts'
import type { Block } from '../../block.ts'
import { cleanDocument } from '../../blocks/clean.ts'
import { openReader, type Reader } from '../ocr/engine.ts'
import { ocrCode, ocrSettings, trainedData } from '../ocr/languages.ts'
import { readable } from './readable-text.ts'
import type { Drawing } from './render-picture.ts'

// Fewer words do not tell a language.
const TELLING_WORDS = 20

/** The readable texts without their places; none where nothing is written or no language's data is there. */
export async function readWords(drawing: Drawing | undefined, language: Language): Promise<Block[]> {
  const first = [ocrCode(language), ...ocrSettings().languages].find(isThere)
  if (first === undefined || drawing === undefined) return []
  const reader = openReader()
  try {
    const blocks = readable(await inItsLanguage(reader, drawing, first))
    return cleanDocument({
      blocks: blocks.map(({ bbox: _, level: __, ...block }) => ({ ...block, kind: kindOf(block) })),
    }).blocks
  } finally {
    await reader.close()
  }
}

// What is large in a picture heads nothing outside it.
const kindOf = ({ kind }: Block): Block['kind'] => (kind === 'heading' ? 'paragraph' : kind)

function isThere(code: string | undefined): code is string {
  const { languages, folder } = ocrSettings()
  return code !== undefined && languages.includes(code) && trainedData(code, folder) !== undefined
}

async function inItsLanguage(reader: Reader, { png, part }: Drawing, language: string): Promise<Block[]> {
  const read = await reader.read(png, language, part)
  const text = read.blocks.map((block) => block.text).join('\n')
  const told = read.words < TELLING_WORDS ? undefined : ocrCode(guessLanguage(text))
  if (told === language || !isThere(told)) return read.blocks
  const again = await reader.read(png, told, part)
  return again.confidence > read.confidence ? again.blocks : read.blocks
}
