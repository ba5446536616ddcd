// Reads calendars and invitations (.ics): each event with its times, place and people, in words that a search can find ([RFC
// 5545]).

import { readFile } from 'node:fs/promises'
import type { Backend } from '../../backend.ts'
import { type Block, UnreadableFile } from '../../block.ts'
import { textBlocks } from '../../shared/blocks/text-blocks.ts'
import { decodeText } from '../../shared/encodings/encoding.ts'
import { htmlBlocks } from '../../shared/html/html.ts'
import type { Parser } from '../../task.ts'
import { type Component, type Property, plainText, readComponents } from './content-lines.ts'
import { durationText, ruleText, spanText, timesOf, timeText } from './times.ts'

const ENTRY_COMPONENTS = new Set(['VEVENT', 'VTODO', 'VJOURNAL'])
// Only a meeting of a whole company has more attendees.
const MAX_ATTENDEES = 200

/** The entries in the order of the file. */
const parseCalendar: Parser = async (task) => {
  const components = readComponents(decodeText(await readFile(task.path)))
  const calendars = components.filter(({ name }) => name === 'VCALENDAR')
  if (calendars.length === 0) throw new UnreadableFile('damaged', 'no calendar inside')
  const name = plainText(propertyValue(calendars[0], 'X-WR-CALNAME'))
  const entries = calendars.flatMap((calendar) =>
    calendar.components
      .filter((component) => ENTRY_COMPONENTS.has(component.name))
      .map((entry) => ({ entry, method: propertyValue(calendar, 'METHOD') })),
  )
  const isSingleEntry = entries.length === 1 && name === ''
  const title = isSingleEntry ? plainText(propertyValue(entries[0]?.entry, 'SUMMARY')) : name
  const head: Block[] = name === '' ? [] : [{ kind: 'heading', text: name, level: 1 }]
  const blocks = entries.flatMap(({ entry, method }) => entryBlocks(entry, method, isSingleEntry ? 1 : 2))
  return { ...(title === '' ? {} : { title }), blocks: [...head, ...blocks] }
}

export const calendar: Backend = { parse: parseCalendar }

const propertyOf = (component: Component | undefined, name: string): Property | undefined =>
  component?.properties.find((property) => property.name === name)

const propertyValue = (component: Component | undefined, name: string): string | undefined =>
  propertyOf(component, name)?.value

const allOf = (component: Component, name: string): Property[] =>
  component.properties.filter((property) => property.name === name)

function entryBlocks(entry: Component, method: string | undefined, level: number): Block[] {
  const text = (name: string): string => plainText(propertyValue(entry, name))
  const times = (name: string): string =>
    allOf(entry, name)
      .flatMap((property) => timesOf(property).map(timeText))
      .join('; ')
  const isCancelled = /^cancel/i.test(propertyValue(entry, 'STATUS') ?? '') || /^cancel/i.test(method ?? '')
  const rules = allOf(entry, 'RRULE').map(({ value }) => ruleText(value))
  const lines = [
    ['When', whenText(entry)],
    ['Due', times('DUE')],
    ['Completed', times('COMPLETED')],
    ['Repeats', rules.join('; ')],
    ['Also on', times('RDATE')],
    ['Not on', times('EXDATE')],
    ['Instead of', times('RECURRENCE-ID')],
    ['Where', text('LOCATION').replace(/\s*\n\s*/g, ', ')],
    ['Organiser', allOf(entry, 'ORGANIZER').map(personText).join(', ')],
    ['Attendees', allOf(entry, 'ATTENDEE').slice(0, MAX_ATTENDEES).map(attendeeText).join(', ')],
    ['Status', isCancelled ? 'cancelled' : /^tentative/i.test(text('STATUS')) ? 'tentative' : ''],
  ].flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
  const summary = text('SUMMARY')
  return [
    ...(summary === '' ? [] : [{ kind: 'heading' as const, text: summary, level }]),
    ...(lines.length === 0 ? [] : [{ kind: 'paragraph' as const, text: lines.join('\n') }]),
    ...descriptionBlocks(text('DESCRIPTION'), text('X-ALT-DESC')),
    ...allOf(entry, 'COMMENT').flatMap(({ value }) => [...textBlocks(plainText(value))]),
  ]
}

/** The description as text, or as HTML if there is no text: Outlook does not always write both. */
const descriptionBlocks = (description: string, html: string): Block[] =>
  description === '' ? htmlBlocks(html) : [...textBlocks(description)]

function whenText(entry: Component): string {
  const [start, end] = ['DTSTART', 'DTEND'].map((name) => {
    const property = propertyOf(entry, name)
    return property === undefined ? undefined : timesOf(property)[0]
  })
  if (start === undefined) return ''
  const duration = end === undefined ? durationText(propertyValue(entry, 'DURATION') ?? '') : ''
  return duration === '' ? spanText(start, end) : `${timeText(start)}, for ${duration}`
}

function personText({ parameters, value }: Property): string {
  const name = parameters.get('CN')?.trim() ?? ''
  const address = value.trim().replace(/^mailto:/i, '')
  if (name === '' || name === address) return address
  return address.includes('@') ? `${name} <${address}>` : name
}

const ANSWER_BY_STATUS: Record<string, string> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
}

function attendeeText(property: Property): string {
  const answer = ANSWER_BY_STATUS[property.parameters.get('PARTSTAT')?.toUpperCase() ?? '']
  return answer === undefined ? personText(property) : `${personText(property)} (${answer})`
}
