// Admission control: limits how many operations that need memory, a processor core or a connection run at once in this process.
// Requests beyond a limit are refused at once. In a queue, most of them would be answered only after their senders have given up.

import { type CallerLimiter, type Limiter, makeCallerLimiter, makeLimiter } from './limiter.ts'
import { makeRequestLimiter, type RequestLimiter } from './request-limiter.ts'
import { makeUploadSlots, type UploadSlots } from './upload-slots.ts'

export interface Admission {
  /** Short requests that take a few database queries. */
  requests: RequestLimiter
  /** Uploads whose bodies are being received. */
  uploads: UploadSlots
  /** Archives of workspaces whose bodies are being received. */
  archives: UploadSlots
  /** Exports of workspaces, whose files are on disk until they are sent. */
  exports: Limiter
  /** Pages that are being drawn or wait to be drawn. */
  pageImages: Limiter
  /** Texts that are being checked, each by hundreds of searches. */
  checks: CallerLimiter
}

const MAX_EXPORTS = 4
const EXPORT_RETRY_SECONDS = 10
// Drawing a page takes a core for 0.1 to 1 s. A client that shows thumbnails may request this many at once.
const MAX_PAGE_IMAGES = 24
const PAGE_RETRY_SECONDS = 2
// A text of 500 sentences keeps a core for some 20 s.
const MAX_CHECKS = 2
const CHECK_RETRY_SECONDS = 10

export const openAdmission = (): Admission => ({
  requests: makeRequestLimiter(),
  uploads: makeUploadSlots(),
  archives: makeUploadSlots(),
  exports: makeLimiter({
    maxConcurrent: MAX_EXPORTS,
    message: 'Too many exports are under way; try again in a moment.',
    retrySeconds: EXPORT_RETRY_SECONDS,
  }),
  pageImages: makeLimiter({
    maxConcurrent: MAX_PAGE_IMAGES,
    message: 'Too many pages are being drawn; try again in a moment.',
    retrySeconds: PAGE_RETRY_SECONDS,
  }),
  checks: makeCallerLimiter({
    maxConcurrent: MAX_CHECKS,
    ownMessage: 'Another text of yours is being checked; wait until that has ended.',
    message: 'Other texts are being checked; try again in a moment.',
    retrySeconds: CHECK_RETRY_SECONDS,
  }),
})
