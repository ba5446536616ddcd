// Signs the deliveries of webhooks as standardwebhooks.com describes, so that receivers can use a library of their language.

import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'

/** A secret of 32 random bytes. */
export const createSecret = (): string => `${SECRET_PREFIX}${randomBytes(32).toString('base64')}`

/** The headers of one attempt. They include its time, so that receivers can refuse old messages. */
export function signatureHeaders(
  secret: string,
  id: string,
  body: string,
  sentAt: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000))
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
