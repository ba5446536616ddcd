// An S3 server on loopback (npm's s3rver) in a process of its own, which can be killed and started again on what it has.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../src/config.ts'

export type Place = NonNullable<Config['blobs']>

export interface S3Server {
  place: Place
  /** Where the server keeps its objects. */
  folder: string
  kill(): Promise<void>
  /** Again, at another port. */
  start(): Promise<void>
  close(): Promise<void>
}

export async function s3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-s3-'))
  let child: ChildProcess | undefined
  const kill = async (): Promise<void> => {
    const endingChild = child
    child = undefined
    if (!endingChild || endingChild.exitCode !== null) return
    const gone = new Promise((resolve) => endingChild.once('exit', resolve))
    endingChild.kill('SIGKILL')
    await gone
  }
  const server: S3Server = {
    // The key of its own.
    place: {
      endpoint: '',
      region: 'us-east-1',
      bucket: 'kenning',
      prefix: 'files/',
      keyId: 'S3RVER',
      secret: 'S3RVER',
    },
    folder: join(folder, 'kenning'),
    kill,
    start: async () => {
      const bin = 'node_modules/s3rver/bin/s3rver.js'
      const options = ['-d', folder, '-a', '127.0.0.1', '-p', '0', '--configure-bucket', 'kenning']
      // Its tokens of long lists are made with a cipher that OpenSSL 3 has put aside.
      child = spawn(process.execPath, ['--openssl-legacy-provider', bin, ...options], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      server.place.endpoint = `http://127.0.0.1:${await portOf(child)}`
    },
    close: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

function portOf(child: ChildProcess): Promise<number> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`s3rver ended: ${output}`)))
    child.stdout?.on('data', (piece: Buffer) => {
      output += piece
      const [, port] = /listening on [^\s]*:(\d+)/.exec(output) ?? []
      if (port) resolve(Number(port))
    })
  })
}

/** A way to the server that is cut, by `cut`, once so many bytes have gone through it; then nobody answers there. */
export async function cutAfter(
  place: Place,
  bytes: number,
  cut: () => Promise<void>,
): Promise<{ place: Place; close(): void }> {
  const { port } = new URL(place.endpoint)
  const sockets = new Set<Socket>()
  let sentBytes = 0
  let isCut = false
  const server: Server = createServer((client) => {
    if (isCut) return void client.destroy()
    const upstream = connect(Number(port), '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => client.destroy())
    }
    upstream.pipe(client)
    client.on('data', (piece) => {
      sentBytes += piece.length
      if (sentBytes < bytes) return void upstream.write(piece)
      if (isCut) return
      isCut = true
      void cut().then(() => {
        for (const socket of sockets) socket.destroy()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as { port: number }
  return {
    place: { ...place, endpoint: `http://127.0.0.1:${address.port}` },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
