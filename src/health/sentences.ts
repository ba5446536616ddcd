// What is said about a part, by type and in English.

import {
  PART_SENTENCES,
  type PartHealth,
  type PartSentence,
  type PartSentenceType,
} from '../contract/health.ts'
import { sizeText } from './finding.ts'

export type Part = Omit<PartHealth, 'check'>

export const sentence = (type: PartSentenceType, values: PartSentence['values'] = {}): PartSentence => ({
  type,
  values,
})

export const partOf = (status: Part['status'], ...sentences: PartSentence[]): Part => ({
  status,
  message: sentences.map(inEnglish).join('; '),
  sentences,
})

const inEnglish = ({ type, values }: PartSentence): string =>
  PART_SENTENCES[type].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    if (typeof value === 'string') return value
    return name === 'bytes' ? sizeText(value) : value.toLocaleString('en')
  })
