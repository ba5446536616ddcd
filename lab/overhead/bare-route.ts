// The least a service of this kind can be: one Fastify route that reads one row by its key. A process of its own;
// told where the database is and which account to read, it reports its port.

import fastify from 'fastify'
import sql from 'sql-template-tag'
import type { DbConnection } from '../../src/ports/db/connection.ts'
import { openDb } from '../../src/ports/db/postgres.ts'

const [, , where = '', account = ''] = process.argv
const connection: DbConnection = where.startsWith('postgres') ? { url: where } : { socketDir: where }
const db = openDb(connection)
const server = fastify()
server.get('/', async () => {
  const [row] = await db.rows(sql`SELECT id, email, status FROM account WHERE id = ${account}::uuid`)
  return row
})
await server.listen({ host: '127.0.0.1', port: 0 })
const address = server.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
process.once('disconnect', () => process.exit(0))
