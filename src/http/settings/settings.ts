// The pages of a person's settings, and those of links that were handed over. Plain HTML, without script.

import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../ports/deps.ts'
import { mountLinks } from '../pages/account-links.ts'
import { asPage, seeOther } from '../pages/page.ts'
import { accountPage } from './account-page.ts'
import { connectionsPage } from './connections-page.ts'
import { keysPage } from './keys-page.ts'
import { membersPage, workspacesPage } from './members-page.ts'
import { peoplePage } from './people-page.ts'
import { mountPlace } from './settings-page.ts'

export function mountSettings(app: FastifyInstance, deps: Deps): void {
  // Where signing in leads to; the path also takes the JSON of the account's routes.
  app.get('/account', asPage, async (_request, reply) => seeOther(reply, accountPage.url))
  // What the start prints is opened in a browser: there is nothing to see at the address itself.
  app.get('/', asPage, async (_request, reply) => seeOther(reply, accountPage.url))
  const places = [accountPage, keysPage, connectionsPage, workspacesPage, membersPage, peoplePage]
  for (const place of places) mountPlace(app, deps, place)
  mountLinks(app, deps)
}
