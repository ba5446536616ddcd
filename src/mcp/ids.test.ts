import { expect, test } from 'vitest'
import { addressId, isId, isWholeId, parsePlace, passageId, shortId } from './ids.ts'

const DOCUMENT = '3fa85f64-5717-4562-b3fc-2c963f66afa6'
const CHUNK = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

test('what is given is understood', () => {
  expect(parsePlace(shortId(DOCUMENT))).toEqual({ document: '3fa85f64' })
  expect(parsePlace(passageId(DOCUMENT, CHUNK))).toEqual({ document: '3fa85f64', chunk: '7c9e66' })
  expect(parsePlace(`https://kenning.example.org/at/d/${addressId(DOCUMENT, CHUNK)}`)).toEqual({
    document: '3fa85f6457174562',
    chunk: '7c9e66',
  })
  expect(parsePlace(addressId(DOCUMENT))).toEqual({ document: '3fa85f6457174562' })
  expect(parsePlace(`${shortId(DOCUMENT)}+12`)).toEqual({ document: '3fa85f64', position: 12 })
})

test('what earlier releases gave is understood', () => {
  expect(parsePlace(`https://kenning.example.org/d/${passageId(DOCUMENT, CHUNK)}`)).toEqual({
    document: '3fa85f64',
    chunk: '7c9e66',
  })
  expect(parsePlace(` ${DOCUMENT} `)).toEqual({ document: DOCUMENT })
  expect(parsePlace(`${DOCUMENT}#${CHUNK}`)).toEqual({ document: DOCUMENT, chunk: CHUNK })
  expect(parsePlace(`${DOCUMENT}+3`)).toEqual({ document: DOCUMENT, position: 3 })
  expect(parsePlace(`https://kenning.example.org/w/${CHUNK}/d/${DOCUMENT}?page=2&chunk=${CHUNK}`)).toEqual({
    document: DOCUMENT,
    chunk: CHUNK,
  })
})

test('a broken passage still names its document', () => {
  for (const text of ['3fa85f64.', '3fa85f64.x', '3fa85f64#12', '3fa85f64+x'])
    expect(parsePlace(text), text).toEqual({ document: '3fa85f64' })
})

test('a title is no id', () => {
  for (const text of ['', 'Lease', '3fa85f6', 'deadbeef cafe', `${DOCUMENT}0`, 'https://example.org/lease'])
    expect([text, parsePlace(text)]).toEqual([text, undefined])
  expect(isId('20260312')).toBe(true)
})

test('a whole id has all of its digits', () => {
  expect([DOCUMENT, DOCUMENT.replaceAll('-', ''), DOCUMENT.toUpperCase()].every(isWholeId)).toBe(true)
  for (const text of ['3fa85f64', '3fa85f64'.padEnd(36, '-'), `${DOCUMENT}0`, DOCUMENT.slice(1)])
    expect(isWholeId(text), text).toBe(false)
})
