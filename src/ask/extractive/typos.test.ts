import { describe, expect, it } from 'vitest'
import { questionKeywords, topicOf } from './keywords.ts'

const term = (name: string, df = 3) => ({ term: name, df, idf: 2 })

describe('mistyped words of a question', () => {
  const statistics = {
    terms: [term('second'), term('shift'), term('pack'), term('start'), term('oakbridg'), term('qualiti')],
    corrections: new Map([
      ['secnd', 'second'],
      ['pakcing', 'pack'],
      ['Qualtiy', 'qualiti'],
      ['Oakridge', 'oakbridg'],
    ]),
    chunks: 40,
  }
  const keywordsOf = (text: string) => questionKeywords({ text, language: 'en' }, statistics)

  it('are read as the word of the workspace that they stand for', () => {
    const keywords = keywordsOf('when does the secnd shift in pakcing start')
    expect(keywords.map(({ word }) => word)).toEqual(['secnd', 'shift', 'pakcing', 'start'])
    expect(keywords.every(({ isInWorkspace }) => isInWorkspace)).toBe(true)
    expect(
      keywordsOf('Who leads the Qualtiy team?').find(({ word }) => word === 'Qualtiy')?.isInWorkspace,
    ).toBe(true)
  })

  it('ask for nothing where they stand for a question word', () => {
    expect(keywordsOf('wich shift does start').map(({ word }) => word)).toEqual(['shift', 'start'])
  })

  it('are not read as another name', () => {
    const [name] = keywordsOf('shift at Oakridge').filter(({ word }) => word === 'Oakridge')
    expect(name).toMatchObject({ isInWorkspace: false })
  })
})

describe('topicOf', () => {
  it('is the rarest words of the story that the workspace has', () => {
    const statistics = { terms: [term('barrier', 1), term('car', 2)], chunks: 40 }
    expect(topicOf('Yesterday the barrier was shut when I came to my car.', statistics)).toBe('barrier')
    expect(topicOf('', statistics)).toBe('')
  })
})
