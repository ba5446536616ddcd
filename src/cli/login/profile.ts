// The file that stores sign-ins: for each service the client that was registered there and its tokens.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readJsonFile, writePrivateFile } from '../files/private-file.ts'

export interface StoredSignIn {
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
  servers: Record<string, StoredSignIn>
}

export interface ProfileFile {
  current(): Promise<string | undefined>
  get(origin: string): Promise<StoredSignIn | undefined>
  /** Stores a sign-in, and makes its service the current one. */
  set(origin: string, signIn: StoredSignIn): Promise<void>
  /** Replaces the tokens of a sign-in. The current service stays the same. */
  renew(origin: string, signIn: StoredSignIn): Promise<void>
  remove(origin: string): Promise<void>
  origins(): Promise<string[]>
}

export function openProfile(folder: string): ProfileFile {
  const path = join(folder, 'login.json')
  const read = async (): Promise<Profile> => {
    // A file without valid JSON counts as missing. The next sign-in replaces it.
    const storedProfile = await readJsonFile(path).catch((error: unknown) => {
      if (error instanceof SyntaxError) return undefined
      throw error
    })
    return isProfile(storedProfile) ? storedProfile : { servers: {} }
  }
  const write = (profile: Profile): Promise<void> =>
    writePrivateFile(path, `${JSON.stringify(profile, null, 2)}\n`)
  return {
    current: async () => (await read()).current,
    get: async (origin) => (await read()).servers[origin],
    set: async (origin, signIn) => {
      const { servers } = await read()
      await write({ current: origin, servers: { ...servers, [origin]: signIn } })
    },
    renew: async (origin, signIn) => {
      const profile = await read()
      await write({ ...profile, servers: { ...profile.servers, [origin]: signIn } })
    },
    remove: async (origin) => {
      const { current, servers } = await read()
      const { [origin]: _, ...rest } = servers
      const [remainingOrigin] = Object.keys(rest)
      const newCurrent = current === origin ? remainingOrigin : current
      if (newCurrent === undefined) await rm(path, { force: true })
      else await write({ current: newCurrent, servers: rest })
    },
    origins: async () => Object.keys((await read()).servers),
  }
}

const isProfile = (value: unknown): value is Profile =>
  typeof value === 'object' && value !== null && typeof (value as Profile).servers === 'object'
