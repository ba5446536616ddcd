import { expect, test } from 'vitest'
import type { XmlElement } from '../containers/xml.ts'
import { descriptionOf } from './graphics.ts'

const drawing = (descr: string): XmlElement => ({ name: 'pic:cNvPr', attributes: { descr }, children: [] })

test('a description says something: no file name, no number, no remark of Office', () => {
  const made = 'A duck on a pond\n\nAI-generated content may be incorrect.'
  for (const [descr, text] of [
    [made, 'A duck on a pond'],
    ['A duck\n\nDescription automatically generated with medium confidence', 'A duck'],
    ['The pier in 1920', 'The pier in 1920'],
    ['good_picture.png', ''],
    ['Picture 4', ''],
    ['The keeper sent pier.png to the office', 'The keeper sent pier.png to the office'],
  ] as const)
    expect(descriptionOf(drawing(descr))).toBe(text)
})
