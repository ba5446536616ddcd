// Mounts the settings pages and the pages behind invitation and password reset links.

import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../ports/deps.ts'
import { mountAccountLinks } from '../pages/account-links.ts'
import { asPage, seeOther } from '../pages/page.ts'
import { accountPage } from './account-page.ts'
import { connectionsPage } from './connections-page.ts'
import { keysPage } from './keys-page.ts'
import { membersPage, workspacesPage } from './members-page.ts'
import { peoplePage } from './people-page.ts'
import { mountPage } from './settings-page.ts'

export function mountSettings(app: FastifyInstance, deps: Deps): void {
  // The default destination after signing in; other methods of this path are JSON routes.
  app.get('/account', asPage, async (_request, reply) => seeOther(reply, accountPage.url))
  const pages = [accountPage, keysPage, connectionsPage, workspacesPage, membersPage, peoplePage]
  for (const page of pages) mountPage(app, deps, page)
  mountAccountLinks(app, deps)
}
