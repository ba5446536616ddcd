// The small library that all examples of openapi.json are about: the imaginary Tidewick Instruments, whose files are in `examples/`.
// A thing has the same id, name and date in each example, so that a reader can follow it from one operation to the next.

export const ID = {
  workspace: 'db5e3cf2-0caa-4ff0-8a0c-5ba8fc5634eb',
  lease: '26234829-5781-59ff-a80b-8b5b3b0124b1',
  amendment: '02d674f0-55f6-5fe6-bd3d-c1d1779e60d8',
  minutes: '0f3f9eda-0592-5a64-8859-f7acd30f592b',
  /** Chunks. */
  leaseTerms: '15ea6046-30a3-5540-90d7-9099c1dffa99',
  leaseNotice: '0aa8d4be-45f1-5ee6-94a5-264f5033ceed',
  amendmentNotice: '31492c13-27f7-518a-98f3-43b1e44889ec',
  amendmentRent: '69b4c486-8252-55b4-8055-9bb82a77c806',
  minutesDecision: 'a521aad2-86ba-56fd-9e4d-3feaf3e64ec3',
  /** Entities. */
  tidewick: 'a07f254d-02d4-54d9-a62e-f9eac52911a1',
  tidewickShort: '65c98ed9-26de-5574-bc0f-3a3cc2316e87',
  corrigan: '6ec9152b-2b32-518f-864c-efa62a406eee',
  ropewalk: 'dcd84065-195b-543e-b519-7057d7d00884',
  rafael: 'fd255e77-fb55-5d91-a6ac-ae77f61991b9',
  /** Accounts. */
  owner: '2f3d1733-5bb4-4d95-8b46-6143c17e5ee6',
  editor: '7c1f0a52-9d3e-4b6a-8e21-5a4f9b7d3c10',
  thread: 'fe1728b9-c217-48c8-be53-bd0ce02d36c4',
  source: '7bbfc2bf-666e-4c0b-87ca-3303eb095c5f',
  webhook: 'bacd3253-11af-40d0-b1f7-093773fddfa5',
  delivery: '1c5c9d3e-6a4b-4f0e-9d0a-2f6f1f0f7a11',
  question: 'd7c27367-2477-56b5-81f2-fce0539455a7',
  trashed: 'b5881fcc-9ea7-47a3-a407-5cf636d2b4f0',
  import: '4e0b7a66-2c1d-4f53-9b8e-d07f3a6c1e95',
} as const

/** A job has its workspace's id in front. */
export const JOB_ID = 'db5e3cf20caa4ff08a0c5ba8fc5634eba40b1b2ad9d8e015af64d115f9cf82a9'
/** SHA-256 of the lease's file, and of the one that it replaced. */
export const VERSION_ID = '65d824e4968cc08176a0dbec685da2d3b5cdc742f2cf3e08ed35fbdfbb32e292'
export const EARLIER_VERSION_ID = '9c3b1f0e7a52d4486e0bd1c7f8a93e256b40d7c5e1f2a8390746bd8c5e1fa203'
export const CURSOR = 'k3potI6YEnpZbKzn-eI6vllGhRkFGhQeYHAQHyF0RAkx'

export const UPLOADED_AT = '2026-11-24T09:15:42.710Z'
export const ASKED_AT = '2026-11-25T13:02:08.295Z'
export const OWNER_EMAIL = 'rafael.quintero@tidewick.example'
export const EDITOR_EMAIL = 'lydia.marsh@tidewick.example'

export const LEASE_TITLE = 'Lease of Unit 4, Ropewalk Yard'
export const AMENDMENT_TITLE = 'Amendment No. 1 to the lease of Unit 4, Ropewalk Yard'
export const MINUTES_TITLE = 'Minutes of the board meeting of 12 March 2026'

export const LEASE_NOTICE =
  "12.1 The Tenant may end this lease at any time after 31 January 2022 by giving the Landlord not less than six months' written notice."
export const AMENDMENT_NOTICE =
  '1.1 In clause 12.1 of the lease the words “six months’ written notice” are replaced by “three months’ written notice”. Clauses 12.2 and 12.3 stay as they are.'
export const MINUTES_DECISION =
  'The board decides to give notice to Corrigan Estates on 31 March 2026, so that the lease of Unit 4 ends on 30 June 2026, and to sign the lease of Unit 11, Quayside Works.'

/** Where the console shows a passage. */
export const passageUrl = (documentId: string, chunkId: string, page?: number): string =>
  `https://kenning.example.org/w/${ID.workspace}/d/${documentId}?${page ? `page=${page}&` : ''}chunk=${chunkId}`

/** The only page of a list. */
export const onlyPage = <Items extends unknown[]>(...data: Items) => ({
  data: data as Items[number][],
  has_more: false,
  next_cursor: null,
})
/** A page after which others follow. */
export const firstPage = <Items extends unknown[]>(...data: Items) => ({
  data: data as Items[number][],
  has_more: true,
  next_cursor: CURSOR,
})
