// Text recognition by a server, which takes an image and returns lines with their boxes (docs/text-recognition.md).

import { z } from 'zod'
import { type Fetch, OutboundFailed, postJson } from '../outbound/outbound.ts'

export interface OcrServer {
  url: string
  key: string | undefined
  /** Default: a fetch that does not check addresses. */
  fetch?: Fetch | undefined
  /** For tests. */
  timeoutMs?: number
  attempts?: number
}

/** Boxes are in pixels from the top left corner. Confidence is 0 to 100. */
interface RecognisedWord {
  text: string
  confidence: number
  bbox: { x0: number; y0: number; x1: number; y1: number }
}

interface RecognisedTextLine {
  text: string
  words: RecognisedWord[]
  bbox: RecognisedWord['bbox']
}

/** @throws OutboundFailed when the server fails, or its answer does not have the documented form */
export type RecogniseImage = (
  image: Buffer,
  language: string,
  signal?: AbortSignal,
) => Promise<RecognisedTextLine[]>

// A large model on a CPU takes 5 to 20 s for a page.
const TIMEOUT_MS = 120_000
const MAX_ATTEMPTS = 3
// 20,000 words, each with its box, are 2 MB.
const MAX_ANSWER_BYTES = 16_000_000
const MAX_LINES = 20_000

/** The status of an answer that does not have the documented form. */
const FORM_STATUS = 200

const coordinate = z.number().finite()
const Box = z.tuple([coordinate, coordinate, coordinate, coordinate]).transform(([x0, y0, x1, y1]) => ({
  x0: Math.min(x0, x1),
  y0: Math.min(y0, y1),
  x1: Math.max(x0, x1),
  y1: Math.max(y0, y1),
}))
const confidence = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .transform((share = 1) => 100 * share)
const Answer = z.object({
  lines: z
    .array(
      z.object({
        text: z.string(),
        box: Box,
        confidence,
        words: z.array(z.object({ text: z.string(), box: Box, confidence })).optional(),
      }),
    )
    .max(MAX_LINES),
})

export const ocrServer =
  ({ url, key, fetch, timeoutMs = TIMEOUT_MS, attempts = MAX_ATTEMPTS }: OcrServer): RecogniseImage =>
  async (image, language, signal) => {
    const answer = Answer.safeParse(
      await postJson({
        url,
        headers: key ? { authorization: `Bearer ${key}` } : {},
        body: { image: image.toString('base64'), languages: [language] },
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        attempts,
        signal,
        fetch,
      }),
    )
    if (!answer.success) {
      const [issue] = answer.error.issues
      throw new OutboundFailed(
        `the server for text recognition answered in another form than docs/text-recognition.md: ${issue?.path.join('.') || 'the answer'}: ${issue?.message}`,
        FORM_STATUS,
      )
    }
    return answer.data.lines.flatMap(({ text, box, confidence, words }) => {
      const lineWords = words
        ? words.map((word) => ({ text: word.text.trim(), confidence: word.confidence, bbox: word.box }))
        : wordsOf(text, box, confidence)
      const nonEmpty = lineWords.filter((word) => word.text !== '')
      return nonEmpty.length > 0 ? [{ text: text.trim(), words: nonEmpty, bbox: box }] : []
    })
  }

/** Divides a line into words and gives each the part of the line's box that its characters take. */
function wordsOf(text: string, box: RecognisedWord['bbox'], confidence: number): RecognisedWord[] {
  const characterWidth = (box.x1 - box.x0) / Math.max(1, text.length)
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    text: word,
    confidence,
    bbox: {
      ...box,
      x0: box.x0 + index * characterWidth,
      x1: box.x0 + (index + word.length) * characterWidth,
    },
  }))
}
