import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config.ts'

const problems = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

const OIDC = {
  KENNING_OIDC_ISSUER: 'https://login.example.org',
  KENNING_OIDC_CLIENT_ID: 'kenning',
  KENNING_OIDC_CLIENT_SECRET: 'secret',
}

test('nobody is trusted, mailed or asked unless it is said', () => {
  expect(readConfig({})).toMatchObject({
    trustedProxies: [],
    corsOrigins: [],
    mail: undefined,
    company: undefined,
  })
})

test('proxies are addresses and networks', () => {
  const read = (text: string) => readConfig({ KENNING_TRUSTED_PROXIES: text }).trustedProxies
  expect(read('10.0.0.0/8, ::1,192.0.2.1')).toEqual(['10.0.0.0/8', '::1', '192.0.2.1'])
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0/8', '::/129', '1.2.3.4/8/9', 'true', '1'])
    expect(problems({ KENNING_TRUSTED_PROXIES: wrong })[0], wrong).toMatch(/^KENNING_TRUSTED_PROXIES: /)
})

test('pages of other origins are named by their origins', () => {
  const read = (text: string) => readConfig({ KENNING_CORS_ORIGINS: text }).corsOrigins
  expect(read('https://app.example.org, http://localhost:5173')).toEqual([
    'https://app.example.org',
    'http://localhost:5173',
  ])
  for (const wrong of ['*', 'null', 'app.example.org', 'https://app.example.org/', 'https://App.example.org'])
    expect(problems({ KENNING_CORS_ORIGINS: wrong })[0], wrong).toMatch(/^KENNING_CORS_ORIGINS: /)
})

test('a mail server has an address and a sender', () => {
  const url = 'smtps://user:password@mail.example.org'
  expect(readConfig({ KENNING_SMTP_URL: url, KENNING_MAIL_FROM: 'k@example.org' }).mail).toEqual({
    url,
    from: 'k@example.org',
  })
  expect(problems({ KENNING_SMTP_URL: url })[0]).toMatch(/^KENNING_MAIL_FROM: /)
  expect(problems({ KENNING_MAIL_FROM: 'k@example.org' })[0]).toMatch(/^KENNING_SMTP_URL: /)
  expect(
    problems({ KENNING_SMTP_URL: 'https://mail.example.org', KENNING_MAIL_FROM: 'k@example.org' })[0],
  ).toMatch(/^KENNING_SMTP_URL: /)
})

test('company sign-in needs all three, over https, and groups where the provider knows the world', () => {
  expect(readConfig({ ...OIDC, KENNING_OIDC_GROUPS: 'staff, board' }).company).toEqual({
    issuer: 'https://login.example.org',
    clientId: 'kenning',
    clientSecret: 'secret',
    groups: ['staff', 'board'],
    groupsClaim: 'groups',
    label: 'your company account',
  })
  for (const name of Object.keys(OIDC)) {
    const { [name as keyof typeof OIDC]: _left, ...rest } = OIDC
    expect(problems(rest)).toEqual([expect.stringMatching(new RegExp(`^${name}: must be set together`))])
  }
  const at = (issuer: string, more = {}) => problems({ ...OIDC, KENNING_OIDC_ISSUER: issuer, ...more })
  for (const wrong of ['http://login.example.org', 'login.example.org', 'https://login.example.org?x=1'])
    expect(at(wrong)[0], wrong).toMatch(/^KENNING_OIDC_ISSUER: /)
  const worlds = ['https://accounts.google.com', 'https://login.microsoftonline.com/common/v2.0']
  for (const world of worlds) {
    expect(at(world)).toEqual([expect.stringMatching(/^KENNING_OIDC_GROUPS: /)])
    expect(at(world, { KENNING_OIDC_GROUPS: 'example.org', KENNING_OIDC_GROUPS_CLAIM: 'hd' })).toEqual([])
  }
  expect(at('https://login.microsoftonline.com/0f3a-tenant/v2.0')).toEqual([])
})
