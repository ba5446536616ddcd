// Secrets that are shown once (keys, tokens, cookies, links): 256 random bits, of which only the SHA-256 is stored.

import { hash, randomBytes } from 'node:crypto'

export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
