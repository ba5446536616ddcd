// Splits a text into the model's pieces in the most probable way (unigram language model, Kudo 2018), by dynamic programming.

/** The pieces in the order of their numbers. `▁` means the space before a word. */
export interface Vocabulary {
  pieces: readonly string[]
  /** Logarithms of probabilities. */
  scores: readonly number[]
}

type Tokenize = (text: string, maxPieces: number) => number[]

// The first pieces of the vocabulary are control codes: unknown, beginning, end, and three that are not used.
const RESERVED_PIECES = 6
const UNKNOWN = 0
const UNKNOWN_SCORE = -30

export function tokenizer({ pieces, scores }: Vocabulary): Tokenize {
  const numberOfPiece = new Map<string, number>()
  let maxPieceLength = 1
  pieces.forEach((piece, number) => {
    if (number < RESERVED_PIECES || numberOfPiece.has(piece)) return
    numberOfPiece.set(piece, number)
    maxPieceLength = Math.max(maxPieceLength, piece.length)
  })
  return (text, maxPieces) => {
    const normalizedText = `▁${text.normalize('NFKC').trim().replaceAll(/\s+/gu, '▁')}`
    // `maxPieces` pieces cannot cover more text than this.
    const reachableText = normalizedText.slice(0, maxPieces * maxPieceLength)
    const length = reachableText.length
    const bestScores = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY)
    const from = new Int32Array(length + 1)
    const lastPieceAt = new Int32Array(length + 1)
    bestScores[0] = 0
    const updateBest = (start: number, end: number, piece: number, score: number): void => {
      if ((bestScores[end] ?? 0) >= score) return
      bestScores[end] = score
      from[end] = start
      lastPieceAt[end] = piece
    }
    for (let start = 0; start < length; start++) {
      const scoreSoFar = bestScores[start] ?? 0
      // No piece ends here, because this is the middle of a character of two UTF-16 units.
      if (scoreSoFar === Number.NEGATIVE_INFINITY) continue
      const characterLength = (reachableText.codePointAt(start) ?? 0) > 0xffff ? 2 : 1
      updateBest(start, Math.min(length, start + characterLength), UNKNOWN, scoreSoFar + UNKNOWN_SCORE)
      for (let end = start + 1; end <= Math.min(length, start + maxPieceLength); end++) {
        const piece = numberOfPiece.get(reachableText.slice(start, end))
        if (piece !== undefined) updateBest(start, end, piece, scoreSoFar + (scores[piece] ?? UNKNOWN_SCORE))
      }
    }
    const ids: number[] = []
    for (let end = length; end > 0; end = from[end] ?? 0) ids.push(lastPieceAt[end] ?? UNKNOWN)
    return ids.reverse().slice(0, maxPieces)
  }
}
