// The authorities that the programs of a source are told to trust.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DIRECT, useNetwork } from '../../ports/outbound/network.ts'
import { openSource } from './open.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kenning-open-'))
})
afterEach(() => {
  useNetwork(DIRECT)
  rmSync(folder, { recursive: true, force: true })
})

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** The environment in which the program is started, which ends at once. */
async function environmentOf(
  kind: 'git' | 'remote',
  environment: Record<string, string>,
): Promise<Map<string, string>> {
  const [bin, file] = [join(folder, 'bin'), join(folder, 'environment')]
  mkdirSync(bin, { recursive: true })
  for (const name of ['git', 'rclone'])
    writeFileSync(join(bin, name), `#!/bin/sh\nenv > ${file}\nexit 1\n`, { mode: 0o755 })
  const spec = {
    kind,
    addresses: [kind === 'git' ? 'https://git.example/notes.git' : 'drive:notes'],
    branch: null,
    include: [],
    exclude: [],
    credentials: undefined,
    folder: join(folder, 'source'),
    allowedFolders: [],
    privateNetworks: [],
    environment: { PATH: `${bin}:${process.env.PATH}`, ...environment },
  }
  const source = await openSource(spec, () => undefined)
  await expect(source.list(new AbortController().signal)).rejects.toThrow()
  const lines = readFileSync(file, 'utf8').split('\n')
  return new Map(lines.map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]))
}

/** The file of authorities that the program reads. */
async function fileOf(
  kind: 'git' | 'remote',
  environment: Record<string, string>,
): Promise<string | undefined> {
  const variables = await environmentOf(kind, environment)
  if (kind === 'remote') return variables.get('SSL_CERT_FILE')
  const [key = 'none'] = [...variables].find(([, value]) => value === 'http.sslCAInfo') ?? []
  return variables.get(key.replace('KEY', 'VALUE'))
}

const [root = ''] = rootCertificates

/** Which of these the program trusts by its file. */
async function trusted(kind: 'git' | 'remote', environment: Record<string, string>): Promise<string[]> {
  const text = readFileSync((await fileOf(kind, environment)) ?? '', 'utf8')
  return ['COMPANY', 'EXTRA', 'USUAL', root].filter((authority) => text.includes(authority))
}

const kinds = ['git', 'remote'] as const

test.each(kinds)('%s: NODE_EXTRA_CA_CERTS is trusted besides the usual authorities', async (kind) => {
  const environment = { NODE_EXTRA_CA_CERTS: write('extra.pem', 'EXTRA') }
  expect(await trusted(kind, environment)).toEqual(['EXTRA', root])
  const both = { ...environment, SSL_CERT_FILE: write('usual.pem', 'USUAL') }
  expect(await trusted(kind, both)).toEqual(['EXTRA', 'USUAL', root])
})

test.each(kinds)('%s: KENNING_CA_FILE is trusted besides SSL_CERT_FILE', async (kind) => {
  useNetwork({ ...DIRECT, authorities: 'COMPANY' })
  const environment = { SSL_CERT_FILE: write('usual.pem', 'USUAL') }
  expect(await trusted(kind, environment)).toEqual(['COMPANY', 'USUAL', root])
})

test('where nothing is added, or its file cannot be read, the environment stays as it is', async () => {
  const environment = { SSL_CERT_FILE: '/usual.pem', NODE_EXTRA_CA_CERTS: join(folder, 'none.pem') }
  expect(await fileOf('remote', environment)).toBe('/usual.pem')
  expect(await fileOf('git', environment)).toBeUndefined()
  expect((await environmentOf('git', environment)).get('SSL_CERT_FILE')).toBe('/usual.pem')
})
