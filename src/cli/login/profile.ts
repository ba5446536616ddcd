// The file that stores sign-ins: for each service the client that was registered there and its tokens.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readJsonFile, writePrivateFile } from '../files/private-file.ts'

export interface SignedIn {
  client_id: string
  refresh_token: string
  access_token: string
  /** Epoch milliseconds. */
  expires_at: number
  email?: string
}

interface Profile {
  /** The origin of the service that commands use by default. */
  current?: string
  servers: Record<string, SignedIn>
}

export interface ProfileFile {
  readonly path: string
  current(): Promise<string | undefined>
  get(origin: string): Promise<SignedIn | undefined>
  /** Also makes it the current service. */
  set(origin: string, signedIn: SignedIn): Promise<void>
  /** Does not change which service is the current one. */
  renew(origin: string, signedIn: SignedIn): Promise<void>
  remove(origin: string): Promise<void>
  origins(): Promise<string[]>
}

export function openProfile(folder: string): ProfileFile {
  const path = join(folder, 'login.json')
  const read = async (): Promise<Profile> => {
    // A file that cannot be read as JSON counts as missing, and signing in again repairs it.
    const stored = await readJsonFile(path).catch((error: unknown) => {
      if (error instanceof SyntaxError) return undefined
      throw error
    })
    return isProfile(stored) ? stored : { servers: {} }
  }
  const write = (profile: Profile): Promise<void> =>
    writePrivateFile(path, `${JSON.stringify(profile, null, 2)}\n`)
  return {
    path,
    current: async () => (await read()).current,
    get: async (origin) => (await read()).servers[origin],
    set: async (origin, signedIn) => {
      const { servers } = await read()
      await write({ current: origin, servers: { ...servers, [origin]: signedIn } })
    },
    renew: async (origin, signedIn) => {
      const profile = await read()
      await write({ ...profile, servers: { ...profile.servers, [origin]: signedIn } })
    },
    remove: async (origin) => {
      const { current, servers } = await read()
      const { [origin]: _, ...rest } = servers
      const [remainingName] = Object.keys(rest)
      const next = current === origin ? remainingName : current
      if (next === undefined) await rm(path, { force: true })
      else await write({ current: next, servers: rest })
    },
    origins: async () => Object.keys((await read()).servers),
  }
}

const isProfile = (value: unknown): value is Profile =>
  typeof value === 'object' && value !== null && typeof (value as Profile).servers === 'object'
