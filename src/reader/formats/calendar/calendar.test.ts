// Calendars and invitations.

import { expect, test } from 'vitest'
import { parseBytes } from '../../../../test/support/files/parse.ts'

const calendarOf = (...lines: string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]): string[] => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT']

test('an invitation: time in its own zone, place, people, the text without its escapes', async () => {
  const { title, blocks } = await parseBytes(
    'calendar',
    calendarOf(
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Oslo',
      'BEGIN:STANDARD',
      'DTSTART:19701025T030000',
      'END:STANDARD',
      'END:VTIMEZONE',
      ...event(
        'SUMMARY:Harbour board',
        'DTSTART;TZID=Europe/Oslo:20260611T130000',
        'DTEND;TZID=Europe/Oslo:20260611T143000',
        'RRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU,-1FR;COUNT=6',
        'EXDATE;TZID=Europe/Oslo:20260811T130000',
        'LOCATION:Room Fjell\\, second floor',
        'ORGANIZER;CN=Mette Solberg:mailto:mette@example.org',
        'ATTENDEE;CN="Alves; Rui";PARTSTAT=ACCEPTED:mailto:rui@example.org',
        'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bo@example.org',
        'DESCRIPTION:Agenda:\\n1. Permits\\n\\nDial-in co',
        ' de 771\\; ask Bo',
        'BEGIN:VALARM',
        'DESCRIPTION:Reminder',
        'END:VALARM',
      ),
    ),
  )
  expect(title).toBe('Harbour board')
  expect(blocks.map(({ text }) => text)).toEqual([
    'Harbour board',
    [
      'When: Thursday 11 June 2026, 13:00 to 14:30 (Europe/Oslo)',
      'Repeats: every 2 months on the second Tuesday and the last Friday, 6 times',
      'Not on: Tuesday 11 August 2026, 13:00 (Europe/Oslo)',
      'Where: Room Fjell, second floor',
      'Organiser: Mette Solberg <mette@example.org>',
      'Attendees: Alves; Rui <rui@example.org> (accepted), bo@example.org',
    ].join('\n'),
    'Agenda:\n1. Permits',
    'Dial-in code 771; ask Bo',
  ])
})

test.each([
  [
    'a whole day ends before the next',
    'DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261225',
    'Thursday 24 December 2026',
  ],
  [
    'several days',
    'DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20270102',
    'Thursday 24 December 2026 to Friday 1 January 2027',
  ],
  [
    'the time of Greenwich',
    'DTSTART:20260611T130000Z\r\nDTEND:20260611T140000Z',
    'Thursday 11 June 2026, 13:00 to 14:00 (UTC)',
  ],
  ['a time wherever one is', 'DTSTART:20260611T070000', 'Thursday 11 June 2026, 07:00'],
  [
    'over midnight',
    'DTSTART:20260611T220000\r\nDTEND:20260612T020000',
    'Thursday 11 June 2026, 22:00 to Friday 12 June 2026, 02:00',
  ],
  [
    'a duration',
    'DTSTART:20260611T070000\r\nDURATION:PT1H30M',
    'Thursday 11 June 2026, 07:00, for 1 h 30 min',
  ],
  ['no time', 'DTSTART:soon', ''],
])('%s', async (_, times, when) => {
  const { blocks } = await parseBytes('calendar', calendarOf(...event('SUMMARY:Tide', times)))
  expect(blocks[1]?.text ?? '').toBe(when === '' ? '' : `When: ${when}`)
})

test('a calendar of several entries; what was called off, what is to be done', async () => {
  const { title, blocks } = await parseBytes(
    'calendar',
    calendarOf(
      'X-WR-CALNAME:Pier',
      ...event(
        'SUMMARY:Dredging',
        'STATUS:CANCELLED',
        'DTSTART:20260611T070000',
        'RRULE:FREQ=DAILY;BYHOUR=7',
      ),
      'BEGIN:VTODO',
      'SUMMARY:Paint the gauge',
      'DUE;VALUE=DATE:20260701',
      'X-ALT-DESC;FMTTYPE=text/html:<html><body><p>Bring <b>two</b>\\, not one.</body></html>',
      'END:VTODO',
    ),
  )
  expect([title, ...blocks.map(({ text }) => text)]).toEqual([
    'Pier',
    'Pier',
    'Dredging',
    'When: Thursday 11 June 2026, 07:00\nRepeats: FREQ=DAILY;BYHOUR=7\nStatus: cancelled',
    'Paint the gauge',
    'Due: Wednesday 1 July 2026',
    'Bring two, not one.',
  ])
})

test('damaged and endless calendars', async () => {
  await expect(parseBytes('calendar', 'no calendar')).rejects.toMatchObject({ reason: 'damaged' })
  const deep = calendarOf(...event('SUMMARY:Deep'), ...Array.from({ length: 100_000 }, () => 'BEGIN:VEVENT'))
  expect((await parseBytes('calendar', deep)).blocks[0]?.text).toBe('Deep')
  const long = calendarOf(
    ...event(`SUMMARY:Long`, `X-A${';A="b'.repeat(100_000)}:c`, `X-B;A=${'"x",'.repeat(100_000)}`),
  )
  expect((await parseBytes('calendar', long)).blocks[0]?.text).toBe('Long')
  const longParameter = calendarOf(
    ...event('SUMMARY:Long', `X-A;A=${'b'.repeat(9e6)}:c`, `DESCRIPTION:${'Calm. '.repeat(20_000)}`),
  )
  const { blocks } = await parseBytes('calendar', longParameter)
  expect(blocks[0]?.text).toBe('Long')
  expect(blocks.map(({ text }) => text).join(' ').length).toBeGreaterThan(100_000)
})
