// Where a browser is sent on to. Parts of the address come from outside, and a head that is too long is no answer.

import type { FastifyReply } from 'fastify'
import { ApiError } from '../../errors.ts'

/** With the other fields it stays below the 16 KiB that clients read of a head. */
export const MOST_LOCATION = 14_000

/** 303: the browser goes there with GET, and takes no form along (RFC 9700 section 4.12). @throws ApiError 400 */
export function seeOther(reply: FastifyReply, address: string): FastifyReply {
  if (address.length <= MOST_LOCATION) return reply.code(303).header('location', address).send()
  throw new ApiError(
    400,
    'invalid_request',
    'The address to go on to is too long. Go back and open it with fewer parameters.',
  )
}
