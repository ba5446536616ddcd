// The operators of a PDF's content stream with their operands, as PDFium reads them. The bytes are read in one pass, because
// a string may have any length, and the content of a string or a comment is not an operator.

export interface Operation {
  name: string
  /**
   * The operands before the operator, as they are written. An operand is '' for a string. An array or a dictionary gives its
   * items and then '' for its end. The operands are read on demand, because most are not needed.
   */
  operands: () => string[]
  /** False after the first operator in an array or a dictionary, because programs differ on where these end. */
  isCertain: boolean
  /** The position after the last byte of the operator. */
  end: number
}

const REGULAR = 0
const SPACE = 1
const DELIMITER = 2
const BYTE_KINDS = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) BYTE_KINDS[byte] = SPACE
for (const byte of Buffer.from('()<>[]{}/%')) BYTE_KINDS[byte] = DELIMITER
const NUMERIC = new Uint8Array(256)
for (const byte of Buffer.from('0123456789+-.')) NUMERIC[byte] = 1

const charCode = (sign: string): number => sign.charCodeAt(0)
const [OPEN, CLOSE, ESCAPE, PERCENT, SLASH] = [
  charCode('('),
  charCode(')'),
  charCode('\\'),
  charCode('%'),
  charCode('/'),
]
const [LESS, GREATER, ARRAY, END_OF_ARRAY] = [charCode('<'), charCode('>'), charCode('['), charCode(']')]
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13]

// PDFium ignores the operands before the last 16.
const MAX_OPERANDS = 16
const MAX_OPERATOR_LENGTH = 5
const LITERAL = /^(?:true|false|null)$/

/** Calls `visit` for each operator in order, until it returns true. */
export function eachOperation(content: Buffer, visit: (operation: Operation) => boolean): void {
  const { length } = content
  // The start and end of each operand. Both are equal for an operand that is read as ''.
  let operandRanges: number[] = []
  const brackets: number[] = []
  let isCertain = true
  const addOperand = (from: number, to: number): void => {
    if (operandRanges.length === 2 * MAX_OPERANDS) operandRanges = operandRanges.slice(2)
    operandRanges.push(from, to)
  }
  const openBracket = (bracket: number): void => {
    if (brackets.length < MAX_OPERANDS) brackets.push(bracket)
    else isCertain = false
  }
  const closeBracket = (bracket: number, position: number): void => {
    if (brackets.pop() !== bracket) isCertain = false
    addOperand(position, position)
  }
  const operands = (): string[] =>
    Array.from({ length: operandRanges.length / 2 }, (_, i) =>
      content.toString('latin1', operandRanges[2 * i], operandRanges[2 * i + 1]),
    )
  const isRegular = (position: number): boolean =>
    position < length && BYTE_KINDS[content[position] ?? 0] === REGULAR
  let position = 0
  while (position < length) {
    const nameStart = position
    const byte = content[position] ?? 0
    const kind = BYTE_KINDS[byte]
    if (kind === SPACE) position++
    else if (kind === REGULAR) {
      let isNumber = true
      for (; isRegular(position); position++) isNumber &&= NUMERIC[content[position] ?? 0] === 1
      const name =
        isNumber || position - nameStart > MAX_OPERATOR_LENGTH
          ? ''
          : content.toString('latin1', nameStart, position)
      if (isNumber) addOperand(nameStart, position)
      else if (LITERAL.test(name)) addOperand(nameStart, nameStart)
      else {
        if (brackets.length > 0) isCertain = false
        if (name !== '' && visit({ name, operands, isCertain, end: position })) return
        operandRanges = []
      }
    } else if (byte === PERCENT) position = lineEndAfter(content, position)
    else if (byte === SLASH) {
      do position++
      while (isRegular(position))
      addOperand(nameStart, position)
    } else if (byte === OPEN) {
      position = stringEndAfter(content, position)
      addOperand(nameStart, nameStart)
    } else if (byte === LESS && content[position + 1] === LESS) {
      openBracket(LESS)
      position += 2
    } else if (byte === LESS) {
      const end = content.indexOf(GREATER, position)
      position = end === -1 ? length : end + 1
      addOperand(nameStart, nameStart)
    } else if (byte === GREATER && content[position + 1] === GREATER) {
      closeBracket(LESS, position)
      position += 2
    } else {
      if (byte === ARRAY) openBracket(ARRAY)
      else if (byte === END_OF_ARRAY) closeBracket(ARRAY, position)
      position++
    }
  }
}

function lineEndAfter(content: Buffer, from: number): number {
  let position = from
  while (
    position < content.length &&
    content[position] !== LINE_FEED &&
    content[position] !== CARRIAGE_RETURN
  )
    position++
  return position
}

/** The position after the closing bracket of a string, which may contain pairs of brackets. */
function stringEndAfter(content: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    const byte = content[at]
    if (byte === ESCAPE) at++
    else if (byte === OPEN) depth++
    else if (byte === CLOSE && --depth === 0) return at + 1
  }
  return content.length
}
