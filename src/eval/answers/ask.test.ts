import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeNow, listenOnLoopback } from '../../../test/support/loopback.ts'
import { openClient } from '../target/client.ts'
import { openAsker } from './ask.ts'

let streams: string[] = []
const server = createServer((request, response) => {
  const headers = { 'content-type': 'text/event-stream' }
  request.resume().on('end', () => response.writeHead(200, headers).end(streams.shift()))
})
let ask: ReturnType<typeof openAsker>
beforeAll(async () => {
  const client = openClient(`${await listenOnLoopback(server)}/v1`, async () => 'ken_at_x')
  ask = openAsker({ client, id: 'w', names: new Map() })
})
afterAll(() => closeNow(server))

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const STEP = event('step', { index: 0 })
const SPENT = event('step', { index: 1, type: 'answer', tokens: 1234 })
const EXPIRED = STEP + event('error', { error: { type: 'unauthorized', message: 'This token has expired.' } })
const ANSWER = STEP + event('answer', { answer: 'Yes.', citations: [] })

test('the tokens of the language model come with a step, or are unknown', async () => {
  streams = [STEP + SPENT + ANSWER, ANSWER]
  expect(await ask('Is it?')).toMatchObject({ tokens: 1234, steps: 3 })
  expect((await ask('Is it?')).tokens).toBeUndefined()
})

test('a token that expires before the answer is complete: the question is asked again, once', async () => {
  streams = [EXPIRED, ANSWER]
  expect(await ask('Is it?')).toMatchObject({ text: 'Yes.', steps: 1 })
  streams = [EXPIRED, EXPIRED, ANSWER]
  await expect(ask('Is it?')).rejects.toThrow(/token expires before/)
  streams = [STEP + event('error', { error: { type: 'agent_error', message: 'No model.' } }), ANSWER]
  await expect(ask('Is it?')).rejects.toThrow('No model.')
})
