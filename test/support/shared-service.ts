// One built service for all test files of a worker that only talk to it over HTTP: a start takes 5 s of processor time. Each
// file has an account of its own, and so sees no other file's workspaces. Files about a start, a stop, the processes or the
// settings start their own with `quickService`.

import { quickService } from './quick-service.ts'
import { PASSWORDS } from './secrets.ts'
import { randomName, type Service, signIn } from './service.ts'

export interface Account {
  email: string
  password: string
}

export interface SharedService extends Pick<Service, 'origin' | 'base' | 'token'> {
  account: Account
  /** Another account, without a workspace. */
  another(): Promise<Account>
  /** Once the file is done; the service runs on. Fails when it has ended or printed a secret. */
  leave(): void
}

const ENV = { KENNING_PICTURE_TEXT: 'off', KENNING_SIGNUP: 'open', KENNING_ASK_PER_HOUR: '10000' }
// The files of a worker share it by their process.
let running: Promise<Service> | undefined

export async function sharedService(): Promise<SharedService> {
  running ??= quickService({ env: ENV })
  const service = await running
  const another = () => newAccount(service.origin)
  const account = await another()
  const { origin, base } = service
  return {
    origin,
    base,
    account,
    another,
    token: () => signIn(origin, account),
    leave: () => {
      service.checkOutput()
      const { exitCode, signalCode } = service.child
      if (exitCode !== null || signalCode !== null)
        throw new Error(`the service has ended (${exitCode ?? signalCode}):\n${service.output()}`)
    },
  }
}

async function newAccount(origin: string): Promise<Account> {
  const account = { email: `${randomName()}@example.org`, password: PASSWORDS[0] }
  const headers = { 'content-type': 'application/json', origin }
  const answer = await fetch(`${origin}/account`, { method: 'POST', headers, body: JSON.stringify(account) })
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`)
  return account
}
