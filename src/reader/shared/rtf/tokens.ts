// The tokenizer of RTF ([RTF 1.9.1], "RTF Syntax"). It gets the bytes in pieces, so that a file of 100 MB is never in memory as a
// whole.

export interface TokenHandler {
  open: () => void
  close: () => void
  /** A control word with its number, if it has one. */
  word: (name: string, value: number | undefined) => void
  /** A control symbol such as `~` or `*`; "\n" for an escaped line end. */
  symbol: (sign: string) => void
  /** Text without line ends, from one position in `bytes` to another. */
  text: (bytes: Buffer, from: number, to: number, isAscii: boolean) => void
  /** A byte of text written as \'hh. */
  byte: (value: number) => void
}

export interface Tokenizer {
  write: (piece: Buffer) => void
  /** Ends the file, possibly within a token. */
  end: () => void
}

const OPEN = 0x7b
const CLOSE = 0x7d
const BACKSLASH = 0x5c
const SPACE = 0x20
const MINUS = 0x2d
const QUOTE = 0x27
const MAX_WORD_LETTERS = 32
const MAX_NUMBER_DIGITS = 10
// A longer incomplete text is passed on at the end of a piece.
const MAX_KEPT_BYTES = 65_536

/** For each byte, whether it ends text: braces, backslash, line ends and NUL. */
const isSpecial = new Uint8Array(256)
for (const code of [OPEN, CLOSE, BACKSLASH, 0x0d, 0x0a, 0]) isSpecial[code] = 1

const isLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

interface State {
  handler: TokenHandler
  /** The incomplete token at the end of the last piece. */
  rest: Buffer
  /** The number of bytes of binary data (\bin) that are still to be skipped. */
  binary: number
  isLast: boolean
}

export function openTokenizer(handler: TokenHandler): Tokenizer {
  const state: State = { handler, rest: Buffer.alloc(0), binary: 0, isLast: false }
  return {
    write: (piece) => {
      const bytes = state.rest.length === 0 ? piece : Buffer.concat([state.rest, piece])
      // The bytes are copied, because a part of the buffer would keep the whole piece in memory.
      state.rest = Buffer.from(bytes.subarray(readTokens(state, bytes)))
    },
    end: () => {
      // The added spaces complete a control word at the end of the file.
      state.isLast = true
      if (state.rest.length > 0) readTokens(state, Buffer.concat([state.rest, Buffer.from('  ')]))
    },
  }
}

/** Reads all complete tokens. Returns the position of the incomplete token at the end. */
function readTokens(state: State, bytes: Buffer): number {
  const { handler } = state
  let at = skipBinary(state, bytes, 0)
  while (at < bytes.length) {
    const code = bytes[at] ?? 0
    if (code === BACKSLASH) {
      const end = readControl(state, bytes, at + 1)
      if (end === undefined) return at
      at = skipBinary(state, bytes, end)
    } else if (isSpecial[code]) {
      if (code === OPEN) handler.open()
      else if (code === CLOSE) handler.close()
      at++
    } else {
      const from = at
      let allBits = 0
      for (; at < bytes.length && !isSpecial[bytes[at] ?? 0]; at++) allBits |= bytes[at] ?? 0
      const isAscii = allBits < 0x80
      // The piece may end inside a character of several bytes.
      if (!isAscii && at === bytes.length && !state.isLast && at - from < MAX_KEPT_BYTES) return from
      handler.text(bytes, from, at, isAscii)
    }
  }
  return at
}

function skipBinary(state: State, bytes: Buffer, from: number): number {
  const skipped = Math.min(state.binary, bytes.length - from)
  state.binary -= skipped
  return from + skipped
}

/** Reads the control word or symbol after a backslash. Returns its end, or undefined if it is incomplete. */
function readControl(state: State, bytes: Buffer, from: number): number | undefined {
  const first = bytes[from]
  if (first === undefined) return undefined
  if (isLetter(first)) return readWord(state, bytes, from)
  if (first === QUOTE) {
    if (from + 3 > bytes.length) return undefined
    const value = Number.parseInt(bytes.toString('latin1', from + 1, from + 3), 16)
    if (Number.isNaN(value)) return from + 1
    state.handler.byte(value)
    return from + 3
  }
  const isLineEnd = first === 0x0d || first === 0x0a
  state.handler.symbol(isLineEnd ? '\n' : String.fromCharCode(first))
  return from + 1
}

/** Reads a control word with its number and the space after it. Returns its end, or undefined if it is incomplete. */
function readWord(state: State, bytes: Buffer, from: number): number | undefined {
  let at = from
  while (at - from < MAX_WORD_LETTERS && isLetter(bytes[at] ?? 0)) at++
  const nameEnd = at
  if (bytes[at] === MINUS) at++
  const digitsStart = at
  while (at - digitsStart < MAX_NUMBER_DIGITS && isDigit(bytes[at] ?? 0)) at++
  if (at === bytes.length) return undefined
  // A hyphen without digits is text.
  if (at === digitsStart) at = nameEnd
  const value = at === nameEnd ? undefined : Number(bytes.toString('latin1', nameEnd, at))
  const end = bytes[at] === SPACE ? at + 1 : at
  const name = bytes.toString('latin1', from, nameEnd)
  if (name === 'bin') state.binary = Math.max(0, value ?? 0)
  else state.handler.word(name, value)
  return end
}
