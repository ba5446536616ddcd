// Secrets of links and keys: 256 bits handed out once; only their SHA-256 is kept.

import { createHash, randomBytes } from 'node:crypto'

export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url')

export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
