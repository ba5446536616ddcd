import { describe, expect, it, test } from 'vitest'
import { openingRoom, roomIn, tokensOf } from './room.ts'
import { essentialToolSpecs, toolSpecs } from './tool-calls.ts'

const window = { tokens: undefined, density: 1, drops: false }

test('without a known context there is room for everything', () => {
  const room = roomIn(window)
  expect(room).toEqual({
    messages: Number.POSITIVE_INFINITY,
    answer: 4000,
    tools: toolSpecs,
    repeatsRules: false,
  })
  expect(room && openingRoom(room, 'Who?')).toEqual({
    history: Number.POSITIVE_INFINITY,
    passages: Number.POSITIVE_INFINITY,
  })
})

describe.each([2048, 4096, 8192, 32_768, 131_072])('a context of %i tokens', (tokens) => {
  it('holds prompt and answer, whatever they are made of', () => {
    const room = roomIn({ ...window, tokens })
    if (!room) throw new Error('there is no room')
    expect(room.answer + tokensOf(room.tools) + room.messages).toBeLessThan(tokens)
    const { history, passages } = openingRoom(room, 'Who?')
    expect(passages).toBeGreaterThan(0)
    expect(passages + history / 2.5).toBeLessThan(room.messages)
  })
})

test('a short context has the tools only that an answer cannot do without', () => {
  expect(roomIn({ ...window, tokens: 4096 })?.tools).toBe(essentialToolSpecs)
  expect(roomIn({ ...window, tokens: 16_384 })?.tools).toBe(toolSpecs)
})

test('a server that counts fewer tokens than were estimated leaves more room', () => {
  const [loose, dense] = [0.7, 1].map(
    (density) => roomIn({ ...window, tokens: 4096, density })?.messages ?? 0,
  )
  expect(loose).toBeGreaterThan((dense ?? 0) * 1.4)
})

test('a context without room for passages is none', () => {
  expect(roomIn({ ...window, tokens: 1024 })).toBeUndefined()
})
