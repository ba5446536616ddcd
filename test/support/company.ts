// A company's sign-in on the real app, against the provider of these tests: to the provider and back, as a browser goes.

import { buildServer } from '../../src/http/server.ts'
import type { CompanySignIn } from '../../src/ports/company/company.ts'
import { openCompany } from '../../src/ports/company/company.ts'
import type { Log } from '../../src/ports/deps.ts'
import type { TestApp } from './app.ts'
import { CLIENT, type Provider } from './oidc-provider.ts'

export const ORIGIN = 'http://127.0.0.1:8484'

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  fields: Record<string, unknown>
  message: string
}

/** What the service says in its log from now on. */
export function heardLog(log: Log, lines: LogLine[]): Log {
  const hear =
    (level: LogLine['level']): Log['info'] =>
    (fields, message) => {
      lines.push({ level, fields: { ...fields }, message })
      log[level](fields, message)
    }
  return { debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') }
}

export const companyOf = ({ issuer }: Provider, more: Partial<CompanySignIn> = {}): CompanySignIn => ({
  issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  scopes: undefined,
  acceptsUnverifiedEmail: false,
  groups: [],
  groupsClaim: 'groups',
  roles: [],
  label: 'Company',
  ...more,
})

export const cookiesOf = (answer: { headers: Record<string, unknown> }): string[] =>
  [answer.headers['set-cookie'] ?? []].flat().map((cookie) => String(cookie).split(';')[0] ?? '')

/** The service with these settings. */
export async function companyServer(
  { deps }: TestApp,
  provider: Provider,
  more: Partial<CompanySignIn> = {},
) {
  const company = companyOf(provider, more)
  const lines: LogLine[] = []
  const server = await buildServer({
    ...deps,
    log: heardLog(deps.log, lines),
    company: openCompany(company),
    settings: { ...deps.settings, company },
  })
  const begin = async (next = '/keys') => {
    const away = await server.inject({
      method: 'GET',
      url: `/sign-in/company?next=${encodeURIComponent(next)}`,
    })
    const [cookie = ''] = cookiesOf(away)
    return { cookie, to: String(away.headers.location) }
  }
  const signIn = async (next?: string) => {
    const { cookie, to } = await begin(next)
    const back = (await provider.visit(to)).slice(ORIGIN.length)
    return { back, cookie, answer: await server.inject({ method: 'GET', url: back, headers: { cookie } }) }
  }
  /** Signs the person in whom the provider has; the status, and who they are here. */
  const enter = async (person: Provider['person']) => {
    provider.person = person
    const { answer } = await signIn()
    const cookie = cookiesOf(answer).find((pair) => /^ken_session=./.test(pair)) ?? ''
    const me = cookie && (await server.inject({ method: 'GET', url: '/account', headers: { cookie } })).json()
    return { status: answer.statusCode, page: answer.body, cookie, me: (me || undefined) as Me | undefined }
  }
  return { server, lines, begin, signIn, enter, close: () => server.close() }
}

interface Me {
  id: string
  email: string
  admin: boolean
}
