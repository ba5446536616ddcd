// Prompts at the terminal. They are loaded only if a person can answer.

import * as clack from '@clack/prompts'
import { CommandFailed, EXIT } from './failure.ts'

// Standard output contains only results.
const output = process.stderr

function requireAnswer<T>(answer: T): Exclude<T, symbol> {
  if (clack.isCancel(answer)) throw new CommandFailed('Nothing was done.', EXIT.interrupted, 'interrupted')
  return answer as Exclude<T, symbol>
}

export const select = async <T>(message: string, options: { value: T; label: string }[]): Promise<T> => {
  const choice = await clack.select({
    message,
    options: options.map(({ label }, value) => ({ value, label })),
    output,
  })
  return options[requireAnswer(choice)]?.value as T
}

export const confirm = async (message: string): Promise<boolean> =>
  requireAnswer(await clack.confirm({ message, initialValue: false, output }))

export const password = async (message: string): Promise<string> =>
  requireAnswer(await clack.password({ message, output }))

/** Undefined when the person ends the conversation. */
export async function askLine(message: string, placeholder = ''): Promise<string | undefined> {
  const answer = await clack.text({ message, placeholder, output })
  return clack.isCancel(answer) || !answer?.trim() ? undefined : answer.trim()
}
