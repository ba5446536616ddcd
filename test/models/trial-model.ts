// A model that passes the trial of the console (src/models/trial.ts) as far as its server lets it.

import type { ChatRequest, ScriptedReply } from '../support/chat-server.ts'

/** Its reply to a request of the trial; undefined for any other request. */
export function trialReply({ messages, stream }: ChatRequest): ScriptedReply | undefined {
  const whole = messages.map(({ content }) => content ?? '').join('\n')
  if (!stream) return { content: { first_day: 'Monday', days: 7 } }
  const codeWord = /code word is “(\w+)”/.exec(whole)?.[1]
  if (whole.includes('What is the code word?')) return { text: codeWord ?? 'I see none.' }
  if (whole.includes('4711')) return { text: 'It is 4711.' }
  return whole.includes('look_up')
    ? { calls: [{ name: 'look_up', arguments: { word: 'harbour' } }] }
    : undefined
}
