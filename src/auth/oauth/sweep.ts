// Removes what has ended: codes, refresh tokens, families without any, clients that nobody uses. Meant for once an hour.

import type { Deps } from '../../ports/deps.ts'
import { deleteEnded } from './token/tokens.sql.ts'

export const sweepGrants = ({ db }: Pick<Deps, 'db'>): Promise<void> => deleteEnded(db)
