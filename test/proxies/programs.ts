// Real proxies of Debian as programs of a test, and certificates of an authority that nobody knows.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'selfsigned'

const named = process.env.KENNING_PROXIES
if (!named) throw new Error('KENNING_PROXIES names no proxies: run `npm run test:proxies`.')
const folder: string = named

export type ProxyName = 'nginx' | 'caddy' | 'tinyproxy'

/** A folder of the test's own, for configurations and certificates. */
export const scratch = (): string => mkdtempSync(join(tmpdir(), 'kenning-proxies-'))

/** Starts a program in the foreground and waits until it listens. @returns ends it */
export async function startProxy(
  name: ProxyName,
  args: string[],
  port: number,
): Promise<() => Promise<void>> {
  const home = scratch()
  const child = spawn(join(folder, name), args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  const exited = once(child, 'exit')
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${output}`)
    const socket = connect(port, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) break
    await sleep(20)
  }
  return async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(home, { recursive: true, force: true })
  }
}

export interface PrivateAuthority {
  /** The authority's own certificate, in a file. */
  file: string
  pem: string
  /** Of a server, in files: its certificate and its key. */
  issue(names: readonly string[]): Promise<{ cert: string; key: string }>
}

export async function privateAuthority(place: string): Promise<PrivateAuthority> {
  const own = await generate([{ name: 'commonName', value: 'Authority of the test' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  const file = join(place, 'authority.pem')
  writeFileSync(file, own.cert)
  return {
    file,
    pem: own.cert,
    issue: async (names) => {
      const pems = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: { key: own.private, cert: own.cert },
        extensions: [
          { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2 as const, value })) },
        ],
      })
      const [cert, key] = [join(place, `${names[0]}.pem`), join(place, `${names[0]}.key`)]
      writeFileSync(cert, pems.cert)
      writeFileSync(key, pems.private, { mode: 0o600 })
      return { cert, key }
    },
  }
}
