// Databases on the nodes of scripts/citus.

import sql, { raw } from 'sql-template-tag'
import { distributeDatabase } from '../../src/operator/distribute.ts'
import type { Db } from '../../src/ports/db/db.ts'
import { migrate } from '../../src/ports/db/migrate.ts'
import { openDb } from '../../src/ports/db/postgres.ts'
import { prepareRequestRole } from '../../src/ports/db/request-role.ts'

/** Runs a command on each node by itself. */
export async function onNodes(
  ports: readonly number[],
  command: string,
  database = 'postgres',
): Promise<void> {
  for (const port of ports) {
    const node = openDb({ url: `postgresql://postgres@127.0.0.1:${port}/${database}` }, { max: 1 })
    await node.rows(raw(command)).finally(() => node.close())
  }
}

/** A new database of this name on every node, migrated and distributed. @param ports the coordinator's first */
export async function makeDistributed(url: string, ports: readonly number[], name: string): Promise<void> {
  const [coordinator, ...workers] = ports
  await onNodes(ports, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await onNodes(ports, `CREATE DATABASE ${name}`)
  await onNodes(ports, 'CREATE EXTENSION citus; CREATE EXTENSION vector', name)
  const nodeUrl = new URL(url)
  nodeUrl.pathname = `/${name}`
  const db = openDb({ url: nodeUrl.href }, { max: 1, applicationName: 'kenning distribute' })
  try {
    await db.rows(raw(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator})`))
    for (const worker of workers) await db.rows(raw(`SELECT citus_add_node('127.0.0.1', ${worker})`))
    await migrate(db)
    await prepareRequestRole(db)
    const lines: string[] = []
    const output = { print: (text: string) => lines.push(text), complain: (text: string) => lines.push(text) }
    const password = process.env.KENNING_NODE_PASSWORD
    const code = await distributeDatabase(db, { isConfirmed: true, password }, output)
    if (code !== 0) throw new Error(lines.join(''))
  } finally {
    await db.close()
  }
}

/** The port of the node that has a workspace's rows. */
export async function portOf(db: Db, workspaceId: string): Promise<number> {
  const [place] = await db.rows<{ port: number }>(sql`
    SELECT nodeport AS port FROM citus_shards
    WHERE shardid = get_shard_id_for_distribution_column('document', ${workspaceId}::uuid)`)
  return place?.port ?? 0
}

/** The statement of deploy/README.md: a workspace gets a shard of its own on another node, while it is written to. */
export const moveToOwnShard = (db: Db, workspaceId: string, port: number): Promise<unknown> =>
  db.rows(sql`
    SELECT citus_split_shard_by_split_points(get_shard_id_for_distribution_column('document', ${workspaceId}::uuid),
      ARRAY[own - 1, own]::text[], array_fill(nodeid, ARRAY[3]), 'force_logical')
    FROM worker_hash(${workspaceId}::uuid) own, pg_dist_node WHERE nodename = '127.0.0.1' AND nodeport = ${port}::int`)
