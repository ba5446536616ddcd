// The routes beside /v1 of a person's own account, and of the administrator (auth.md, "Accounts and sessions").

import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../ports/deps.ts'
import { mountKeys } from './keys.ts'
import { mountSessions } from './sessions.ts'

export function mountAccount(app: FastifyInstance, deps: Deps): void {
  mountSessions(app, deps)
  mountKeys(app, deps)
}
