// The migrations that come with this code, as files. They can be read without a connection to a database.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AppliedMigration } from './migrate.sql.ts'

export interface Migration extends AppliedMigration {
  text: string
}

/**
 * The statement `LOCK TABLE …` at the beginning of a migration, and its other statements. A migration needs LOCK TABLE if it
 * changes a table that running processes use, and then works for long or changes a second table
 * (docs/decisions/0041-many-processes.md).
 */
export function splitLocks(text: string): { locks: string | undefined; otherStatements: string } {
  const [locks] = /^(?:\s|--.*\n)*LOCK TABLE [^;]+;/.exec(text) ?? []
  return { locks, otherStatements: text.slice(locks?.length ?? 0) }
}

/** The database cannot be migrated. The message says why and what to do. */
export class MigrationFailed extends Error {}

/** The project's `migrations` folder, from the sources and from `dist`. */
function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, 'migrations')
    if (existsSync(join(candidate, '0001_extensions.sql'))) return candidate
    if (dirname(folder) === folder)
      throw new MigrationFailed('The folder `migrations` is missing: install Kenning again.')
  }
}

/** Reads a folder's migrations in order. @throws MigrationFailed when two have the same number */
export function readMigrations(folder: string = migrationsFolder()): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
  const migrations = names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return {
      version: Number(name.slice(0, 4)),
      name,
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
    }
  })
  for (const [index, migration] of migrations.entries()) {
    const previous = migrations[index - 1]
    if (previous?.version === migration.version) {
      throw new MigrationFailed(`${previous.name} and ${migration.name} have the same number`)
    }
  }
  return migrations
}
