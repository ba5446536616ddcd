// Checks that the database server has the versions of PostgreSQL and pgvector, and the user the rights, that Kenning needs: at
// every start before anything is written, and in the commands of operators.

import type { Queryable } from './db.ts'
import { type DatabaseFacts, databaseFacts } from './requirements.sql.ts'

const MIN_POSTGRES = 16
const MIN_PGVECTOR = [0, 8]

/** The database cannot be used as it is. The message says what to do. */
class DatabaseUnfit extends Error {}

/** @throws DatabaseUnfit when the server is too old, pgvector is missing or too old, or the user lacks a right */
export async function requireFit(db: Queryable): Promise<void> {
  const problem = problemOf(await factsOf(db))
  if (problem !== undefined) throw new DatabaseUnfit(`Kenning cannot use this database: ${problem}.`)
}

export async function factsOf(db: Queryable): Promise<DatabaseFacts> {
  const [facts] = await db.rows<DatabaseFacts>(databaseFacts)
  if (!facts) throw new Error('the database does not answer')
  return facts
}

/** Why Kenning cannot use this database, and what to do. Undefined if Kenning can use it. */
export function problemOf({
  version,
  version_number,
  available,
  installed,
  ...rights
}: Omit<DatabaseFacts, 'size'>): string | undefined {
  if (version_number < MIN_POSTGRES * 10_000) {
    return `PostgreSQL ${version} is too old: set DATABASE_URL to a server of version ${MIN_POSTGRES} or newer`
  }
  if (!available && !installed) {
    return 'pgvector is missing: install it on the server, then start again'
  }
  if (isOld(installed)) {
    return isOld(available)
      ? `pgvector ${installed} is too old: install ${MIN_PGVECTOR.join('.')} or newer on the server`
      : `pgvector ${installed} is too old for Kenning: run "ALTER EXTENSION vector UPDATE" in this database`
  }
  if (!installed && isOld(available)) {
    return `pgvector ${available} is too old: install ${MIN_PGVECTOR.join('.')} or newer on the server`
  }
  return missingRights(installed !== null, rights)
}

/** Which rights are missing, and the statements that give them. */
function missingRights(
  isInstalled: boolean,
  rights: Pick<DatabaseFacts, 'may_install' | 'schema' | 'may_create' | 'user'>,
): string | undefined {
  const { schema, user } = rights
  const grantCreate =
    schema === null ? `CREATE SCHEMA AUTHORIZATION ${user}` : `GRANT CREATE ON SCHEMA ${schema} TO ${user}`
  const missing = [
    ...(isInstalled || rights.may_install
      ? []
      : [{ right: 'install pgvector', statement: 'CREATE EXTENSION vector' }]),
    ...(rights.may_create ? [] : [{ right: 'create tables', statement: grantCreate }]),
  ]
  if (missing.length === 0) return undefined
  const names = missing.map(({ right }) => right).join(' and ')
  const statements = missing.map(({ statement }) => statement).join('; ')
  return `the user ${user} may not ${names}: have an administrator of the server run "${statements}" in this database`
}

function isOld(version: string | null): boolean {
  if (version === null) return false
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor = 0, minMinor = 0] = MIN_PGVECTOR
  return major < minMajor || (major === minMajor && minor < minMinor)
}
