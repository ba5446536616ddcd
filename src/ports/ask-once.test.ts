import { expect, test } from 'vitest'
import { askOnce } from './ask-once.ts'

/** A source that answers when the test tells it to. */
function hanging<T>() {
  const answers: ((answer: T | Error) => void)[] = []
  const ask = (): Promise<T> =>
    new Promise((resolve, reject) => {
      answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))
    })
  return { ask, answers }
}

test('who hangs is asked once, and nobody waits for the answer for long; the next question is one of its own', async () => {
  const { ask, answers } = hanging<string>()
  const asked = askOnce(ask, { waitMs: 1 })
  expect(await Promise.all([asked(), asked()])).toEqual([undefined, undefined])
  const last = asked()
  expect(answers).toHaveLength(1)
  answers[0]?.('late')
  expect(await last).toBe('late')
  const next = asked()
  expect(answers).toHaveLength(2)
  answers[1]?.(new Error('away'))
  expect(await next).toBeUndefined()
})

test('an answer that never comes does not stand in the way of others for ever; nor does it when it comes after all', async () => {
  const { ask, answers } = hanging<string>()
  const impatient = askOnce(ask, { waitMs: 60_000, forgetMs: 0 })
  const first = impatient()
  const second = impatient()
  expect(answers).toHaveLength(2)
  answers[1]?.('well')
  expect(await second).toBe('well')
  answers[0]?.(new Error('connection lost'))
  expect(await first).toBeUndefined()

  const patient = askOnce(ask, { waitMs: 60_000, forgetMs: 60_000 })
  const both = [patient(), patient()]
  expect(answers).toHaveLength(3)
  answers[2]?.('well')
  expect(await Promise.all(both)).toEqual(['well', 'well'])
})
