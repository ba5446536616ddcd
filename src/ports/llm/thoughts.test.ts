import { expect, test } from 'vitest'
import { withoutThoughts } from './thoughts.ts'

test.each([
  ['an answer.', 'an answer.'],
  ['<think>so</think>an answer.', 'an answer.'],
  ['so</think>an answer.', 'an answer.'],
  ['<think>so and so', ''],
  ['An answer. <thinking>And so', 'An answer. '],
  ['<think>so<think>so</think>so</think>an answer.', 'an answer.'],
  ['<think>one may write <think> here</think>an answer.', 'an answer.'],
  ['<think>so</think>An answer<THINK>so</THINK>.', 'An answer.'],
  ['[THINK]so[/THINK]an answer.', 'an answer.'],
  ['<thought>so</thought>an answer.', 'an answer.'],
])('%s', (text, answer) => {
  expect(withoutThoughts(text)).toBe(answer)
})
