// Chooses the key for a server that an administrator entered. A stored key is never shown again, and is sent only to the server that it was
// entered for: otherwise anybody who may change the address could send the key to a server of their own.

import type { SessionUser } from '../accounts/sessions.sql.ts'
import type { ModelPart, ModelServer } from '../contract/models.ts'
import { invalid } from '../errors.ts'
import type { Queryable } from '../ports/db/db.ts'
import type { Deps } from '../ports/deps.ts'
import { openKey } from './current.ts'
import { lockModel, type ModelRow, selectModelFor } from './models.sql.ts'

/**
 * The key that was entered, otherwise the stored one.
 * @throws ApiError 422 if the stored key is of another server or cannot be decrypted
 */
export async function keyFor(
  deps: Pick<Deps, 'seal' | 'db'>,
  admin: SessionUser,
  part: ModelPart,
  { url, key }: ModelServer,
): Promise<string | undefined> {
  if (key !== undefined) return key ?? undefined
  return openStoredKey(deps, await selectModelFor(deps.db, admin.id, part), url)
}

/** As `keyFor`, but locks the row until the key is stored again. @throws ApiError 422 also if the model was cleared meanwhile */
export async function keyToStore(
  { seal, tx }: Pick<Deps, 'seal'> & { tx: Queryable },
  admin: SessionUser,
  part: ModelPart,
  { url, key }: ModelServer,
): Promise<string | undefined> {
  if (key !== undefined) return key ?? undefined
  const row = await selectModelFor(tx, admin.id, part)
  if (!row?.key) return undefined
  const lockedRow = await lockModel(tx, part)
  if (!lockedRow)
    throw invalid(
      ['body', 'key'],
      'The model was cleared meanwhile, and its key with it: enter the key again',
    )
  return openStoredKey({ seal }, lockedRow, url)
}

function openStoredKey(deps: Pick<Deps, 'seal'>, row: ModelRow | undefined, url: string): string | undefined {
  if (!row?.key) return undefined
  if (new URL(row.url).origin !== new URL(url).origin)
    throw invalid(['body', 'key'], 'The stored key is of another server: enter the key of this one')
  const storedKey = openKey(deps.seal, row)
  if ('problem' in storedKey) throw invalid(['body', 'key'], storedKey.problem)
  return storedKey.key
}
