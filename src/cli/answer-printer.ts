// Prints an answer while it is written. The finished answer is not printed again if its beginning was already printed.

import { safeLines, type Terminal, textColumns, wrapText } from './terminal.ts'

interface AnswerPrinter {
  add(text: string): void
  /** The text so far is no longer part of the answer. */
  restart(): void
  isWriting(): boolean
  finish(answer: string): void
}

export function answerPrinter(terminal: Terminal): AnswerPrinter {
  const width = textColumns(terminal)
  let text = ''
  let printedText = ''
  const print = (wholeText: string): void => {
    if (printedText === '' && terminal.isOutputTerminal) terminal.note('')
    const lines = wrapText(safeLines(wholeText), width)
    // A line that was already printed with another break cannot be changed any more.
    if (!lines.startsWith(printedText)) withdraw()
    terminal.write(lines.slice(printedText.length))
    printedText = lines
  }
  const withdraw = (): void => {
    if (printedText !== '') terminal.write('\n\n')
    printedText = ''
  }
  return {
    add: (newText) => {
      text += newText
      print(text)
    },
    restart: () => {
      withdraw()
      text = ''
    },
    isWriting: () => printedText !== '',
    finish: (answer) => {
      print(answer)
      terminal.write('\n')
    },
  }
}
