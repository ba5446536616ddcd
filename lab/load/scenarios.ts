// The loads that are asked for, as data: what arrives how often, and what should come of it.

export type Kind = 'search' | 'read' | 'ask' | 'upload'

export interface Stage {
  name: string
  /** Arrivals a second of each kind. */
  perSecond: Partial<Record<Kind, number>>
  /** Of the time of the run. */
  share: number
  /** Connections that send a byte a second of a request that never ends. */
  slowConnections?: number
  /** A list is read page by page meanwhile, again and again. */
  walks?: true
}

export interface Scenario {
  id: string
  what: string
  /** What it should be on two cores that nobody else uses, with 100,000 chunks. */
  wanted: string
  stages: Stage[]
}

const SEARCHES = 20
// With a model that takes 30 s some 200 are under way.
const ASKS = 7

export const SCENARIOS: Scenario[] = [
  {
    id: 'L-01',
    what: 'searches',
    wanted: 'p50 60 ms, p99 300 ms (embedded 120 and 600), no error',
    stages: [{ name: 'steady', perSecond: { search: SEARCHES }, share: 1 }],
  },
  {
    id: 'L-02',
    what: 'reads: documents, entities, themes',
    wanted: 'p99 100 ms',
    stages: [{ name: 'steady', perSecond: { read: 100 }, share: 1 }],
  },
  {
    id: 'L-03',
    what: 'questions as streams, a model that takes its time',
    wanted: 'first step p99 1 s, none lost of 200 at once',
    stages: [{ name: 'steady', perSecond: { ask: ASKS }, share: 1 }],
  },
  {
    id: 'L-05',
    what: 'searches while a megabyte of text a second comes in',
    wanted: 'p99 at most twice that of L-01',
    stages: [{ name: 'steady', perSecond: { search: SEARCHES, upload: 1 }, share: 1 }],
  },
  {
    id: 'L-06',
    what: 'ten times as many searches for a while',
    wanted: 'goodput 80 % of the most, refused within 50 ms, normal again within 10 s',
    stages: [
      { name: 'before', perSecond: { search: SEARCHES }, share: 1 / 3 },
      { name: 'overload', perSecond: { search: 10 * SEARCHES }, share: 1 / 3 },
      { name: 'after', perSecond: { search: SEARCHES }, share: 2 / 3 },
    ],
  },
  {
    id: 'L-07',
    what: 'searches beside 1,000 connections that send a byte a second',
    wanted: 'p99 at most twice that of L-01; closed within 30 s',
    stages: [{ name: 'steady', perSecond: { search: SEARCHES }, share: 1, slowConnections: 1000 }],
  },
  {
    id: 'L-09',
    what: 'the list of documents read page by page while documents come in',
    wanted:
      'nothing twice, nothing left out, the last page at most 1.5 times the first (with a million documents)',
    stages: [{ name: 'steady', perSecond: { upload: 1 }, share: 1, walks: true }],
  },
]

/** What this bench does not run, and who does. */
export const ELSEWHERE: Record<string, string> = {
  'L-04': 'large uploads: `bench memory --only uploads`',
  'L-08': 'the delay of the event loop: the last columns of every load here',
  'L-10': 'the largest file of each kind: `bench memory --all`',
}
