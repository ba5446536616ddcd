// `kenning distribute`: turns a PostgreSQL with Citus into a distributed Kenning (docs/decisions/0039-citus.md). It shows what it
// would do, and does it with --yes. It can be run again after an interruption or an upgrade, or when nodes were added.

import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { REQUEST_ROLE } from '../ports/db/actor.ts'
import type { Db } from '../ports/db/db.ts'
import { explainDatabase } from '../ports/db/explain.ts'
import { pendingMigrations } from '../ports/db/migrate.ts'
import { openDb } from '../ports/db/postgres.ts'
import { prepareRequestRole } from '../ports/db/request-role.ts'
import {
  addKey,
  analyse,
  applySettingsOnNodes,
  citusFunctions,
  createRequestLogin,
  createSimplePolicy,
  distributeTable,
  dropKey,
  type Facts,
  FUNCTIONS_ON_NODES,
  factsQuery,
  makeReference,
  type NodeFact,
  nodesQuery,
  selectKeysWithin,
  selectPassword,
  sendFunction,
  type TableFact,
  tablesQuery,
} from './distribute/distribute.sql.ts'
import { obstacleOf, type Step, sentenceOf, stepsFor } from './distribute/plan.ts'
import type { Output } from './output.ts'

export const DISTRIBUTE_USAGE = `Usage: kenning distribute [--yes]

Spreads the workspaces of a database server with Citus over its workers: documents,
chunks, vectors, graph, jobs and conversations of a workspace on one of them; accounts,
the queue and limits on the coordinator, which DATABASE_URL names. Without --yes it
shows what it would do. Stop Kenning first. It can be run again.

  --yes    do it
`

/** @returns the exit code: 0, 1 when the database cannot be distributed yet, 2 for an unknown argument */
export async function distribute(config: Config, args: readonly string[], output: Output): Promise<number> {
  const unknownArgument = args.find((arg) => arg !== '--yes')
  if (unknownArgument !== undefined) {
    output.complain(`Unknown argument ${unknownArgument}.\n${DISTRIBUTE_USAGE}`)
    return 2
  }
  const { databaseUrl } = config
  if (databaseUrl === undefined)
    throw new Error('The embedded database is on one machine: set DATABASE_URL to a PostgreSQL with Citus.')
  const db = openDb({ url: databaseUrl }, { max: 1, applicationName: 'kenning distribute' })
  try {
    return await distributeDatabase(
      db,
      { isConfirmed: args.includes('--yes'), password: config.nodePassword },
      output,
    )
  } catch (error) {
    throw explainDatabase(error, databaseUrl)
  } finally {
    await db.close()
  }
}

/**
 * @param password of the request role between nodes. If it is undefined, the nodes keep the password that they have, and the first
 * run sets a random one
 * @returns the exit code
 */
export async function distributeDatabase(
  db: Db,
  { isConfirmed, password }: { isConfirmed: boolean; password?: string | undefined },
  output: Output,
): Promise<number> {
  const [database] = await db.rows<Facts>(factsQuery)
  if (!database) throw new Error('the database does not answer')
  const nodeFacts = database.citusVersion ? await db.rows<NodeFact>(nodesQuery) : []
  const tableFacts = database.citusVersion ? await db.rows<TableFact>(tablesQuery) : []
  const pending = await pendingMigrations(db)
  const obstacle = obstacleOf(database, nodeFacts, { pending: pending.length, tables: tableFacts })
  if (obstacle) {
    output.complain(`${obstacle}\n`)
    return 1
  }
  const workers = nodeFacts.filter(({ groupid, active }) => groupid > 0 && active).length
  output.print(`Citus ${database.citusVersion}, ${workers} ${workers === 1 ? 'worker' : 'workers'}\n`)
  const steps = stepsFor(tableFacts)
  for (const step of steps) {
    output.print(`${isConfirmed ? '' : 'would '}${sentenceOf(step)}\n`)
    if (isConfirmed) await applyStep(db, step, password)
  }
  // This grants rights on the tables. It comes after the steps, because Citus then sends the rights on distributed tables to the
  // nodes.
  if (isConfirmed) await prepareRequestRole(db)
  output.print(
    isConfirmed
      ? 'Distributed. Start Kenning.\n'
      : 'Nothing was changed. To do it: kenning distribute --yes\n',
  )
  return 0
}

async function applyStep(db: Db, step: Step, password: string | undefined): Promise<void> {
  switch (step.do) {
    case 'role': {
      const secret =
        password ?? (await selectPassword(db, REQUEST_ROLE)) ?? randomBytes(24).toString('base64url')
      return createRequestLogin(db, REQUEST_ROLE, secret)
    }
    case 'settings':
      return applySettingsOnNodes(db)
    case 'functions':
      return db.tx(async (tx) => {
        await tx.rows(citusFunctions)
        for (const signature of FUNCTIONS_ON_NODES) await sendFunction(tx, signature)
      })
    case 'analyse':
      return void (await analyse(db))
    case 'drop key':
      return void (await dropKey(db, step.table, step.key))
    case 'policy':
      return db.tx((tx) => createSimplePolicy(tx, step.table))
    case 'reference':
      return void (await makeReference(db, step.table))
    case 'distribute':
      // One transaction per step: after an interruption, the next run continues with the next step.
      return db.tx(async (tx) => {
        const foreignKeys = await selectKeysWithin(tx, step.tables)
        for (const { table, key } of foreignKeys) await dropKey(tx, table, key)
        for (const table of step.tables) await distributeTable(tx, table)
        for (const { table, key, definition } of foreignKeys) await addKey(tx, table, key, definition)
      })
  }
}
