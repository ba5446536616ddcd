import { expect, it } from 'vitest'
import { answerPrinter } from './answer-printer.ts'
import type { Terminal } from './terminal.ts'

function printed(use: (printer: ReturnType<typeof answerPrinter>) => void): string {
  let output = ''
  const terminal: Partial<Terminal> = {
    write: (text) => {
      output += text
    },
    note: () => undefined,
    isOutputTerminal: true,
    columns: 30,
  }
  use(answerPrinter(terminal as Terminal))
  return output
}

it('prints sentences as they come, and of the whole answer only the rest', () => {
  const output = printed((printer) => {
    printer.add('The rent is £38,400 a year [1].')
    expect(printer.isWriting()).toBe(true)
    printer.add(' The notice is six months [2].')
    printer.finish('The rent is £38,400 a year [1]. The notice is six months [2].\n\n- And more.')
  })
  expect(output).toBe('The rent is £38,400 a year\n[1]. The notice is six months\n[2].\n\n- And more.\n')
})

it('prints the answer below what was withdrawn', () => {
  const output = printed((printer) => {
    printer.add('The rent is £1 [1].')
    printer.restart()
    expect(printer.isWriting()).toBe(false)
    printer.finish('The rent is £2 [1].')
  })
  expect(output).toBe('The rent is £1 [1].\n\nThe rent is £2 [1].\n')
})

it('prints an answer whole that does not begin with what was printed', () => {
  const output = printed((printer) => {
    printer.add('The rent is £1 [1].')
    printer.finish('The rent is £2 [1].')
  })
  expect(output).toBe('The rent is £1 [1].\n\nThe rent is £2 [1].\n')
})
