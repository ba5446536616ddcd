import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, childEnvironment, readConfig, settings } from './config.ts'

const problems = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('readConfig', () => {
  test('defaults', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 8484,
      baseUrl: 'http://127.0.0.1:8484/v1',
      origin: 'http://127.0.0.1:8484',
      askPerHour: 60,
      searchMemoryMb: 256,
      signup: 'closed',
      role: 'all',
    })
  })

  test('workers started by hand have different names, a supervised one keeps its name', () => {
    const alone = { KENNING_ROLE: 'worker', DATABASE_URL: 'postgres://x/x' }
    expect(readConfig(alone).workerName).not.toBe(readConfig(alone).workerName)
    const env = childEnvironment('worker', undefined)
    expect(readConfig(env).workerName).toBe(env.KENNING_WORKER_NAME)
    expect(childEnvironment('worker', undefined).KENNING_WORKER_NAME).not.toBe(env.KENNING_WORKER_NAME)
  })

  test('an embeddings server needs an address and a model', () => {
    const url = 'http://localhost:11434/v1'
    expect(readConfig({}).embedder).toEqual({ choice: 'auto', server: undefined, onnxModel: undefined })
    expect(
      readConfig({ KENNING_EMBEDDINGS_URL: url, KENNING_EMBEDDINGS_MODEL: 'm', KENNING_EMBEDDINGS_KEY: 'k' })
        .embedder,
    ).toMatchObject({ server: { url, model: 'm', key: 'k' } })
    expect(problems({ KENNING_EMBEDDINGS_URL: url })[0]).toMatch(/^KENNING_EMBEDDINGS_MODEL: /)
    expect(problems({ KENNING_EMBEDDINGS_MODEL: 'm' })[0]).toMatch(/^KENNING_EMBEDDINGS_URL: /)
    expect(problems({ KENNING_EMBEDDER: 'openai' })[0]).toMatch(/^KENNING_EMBEDDINGS_URL: /)
    expect(problems({ KENNING_EMBEDDER: 'best' })[0]).toMatch(/^KENNING_EMBEDDER: /)
    expect(problems({ KENNING_EMBEDDINGS_URL: 'ftp://x', KENNING_EMBEDDINGS_MODEL: 'm' })[0]).toMatch(/URL: /)
  })

  test('a reranking server needs only its address', () => {
    const url = 'http://localhost:8080'
    expect(readConfig({}).rerank).toBeUndefined()
    expect(readConfig({ KENNING_RERANK_URL: url }).rerank).toEqual({ url, model: undefined, key: undefined })
    expect(problems({ KENNING_RERANK_MODEL: 'm' })[0]).toMatch(/^KENNING_RERANK_URL: /)
    expect(problems({ KENNING_RERANK_URL: 'ftp://x' })[0]).toMatch(/^KENNING_RERANK_URL: /)
  })

  test('names every setting that is wrong', () => {
    const found = problems({
      KENNING_PORT: 'x',
      KENNING_ASK_PER_HOUR: '0',
      KENNING_SIGNUP: 'maybe',
      KENNING_ROLE: 'x',
    })
    expect(found.map((line) => line.split(':')[0])).toEqual(
      expect.arrayContaining(['KENNING_PORT', 'KENNING_ASK_PER_HOUR', 'KENNING_SIGNUP', 'KENNING_ROLE']),
    )
  })

  test.each([
    'http://kenning.example.org/v1',
    'https://kenning.example.org',
    'https://kenning.example.org/v1/x',
    'https://kenning.example.org/v1/',
    'https://kenning.example.org//v1',
    'https://kenning.example.org/v1?x=1',
    'https://user@kenning.example.org/v1',
    'ftp://localhost/v1',
    'nonsense',
  ])('refuses the base address %s', (address) => {
    expect(problems({ KENNING_BASE_URL: address })[0]).toMatch(/^KENNING_BASE_URL: /)
  })

  test.each([
    ['https://kenning.example.org/v1', 'https://kenning.example.org'],
    ['HTTPS://Kenning.Example.org:443/v1', 'https://kenning.example.org'],
    ['https://kenning.example.org:8443/v1', 'https://kenning.example.org:8443'],
    ['http://LOCALHOST:80/v1', 'http://localhost'],
  ])('the base address %s has one spelling', (given, origin) => {
    const config = readConfig({ KENNING_BASE_URL: given })
    expect([config.baseUrl, config.origin]).toEqual([`${origin}/v1`, origin])
  })

  test.each(['0.0.0.0', '::'])('on %s without a base address it warns once about plain http', (host) => {
    const config = readConfig({ KENNING_HOST: host, KENNING_PORT: '8080' })
    expect(config.baseUrl).toBe('http://localhost:8080/v1')
    expect(config.warnings).toEqual([expect.stringMatching(/plain http.*TLS proxy.*KENNING_BASE_URL/)])
    const proxied = readConfig({ KENNING_HOST: host, KENNING_BASE_URL: 'https://kenning.example.org/v1' })
    expect([proxied.warnings, readConfig({}).warnings]).toEqual([[], []])
  })

  test('a role alone and a replica need DATABASE_URL; admin settings come in pairs', () => {
    expect(problems({ KENNING_ROLE: 'worker' })[0]).toMatch(/^KENNING_ROLE: /)
    const replica = { KENNING_READ_DATABASE_URL: 'postgres://replica/kenning' }
    expect(problems(replica)).toEqual([
      expect.stringMatching(/^KENNING_READ_DATABASE_URL: .*DATABASE_URL must/),
    ])
    expect(readConfig({ ...replica, DATABASE_URL: 'postgres://primary/kenning' }).readDatabaseUrl).toBe(
      'postgres://replica/kenning',
    )
    expect(problems({ KENNING_ADMIN_EMAIL: 'a@b.org' })[0]).toMatch(/^KENNING_ADMIN_PASSWORD: /)
    expect(problems({ KENNING_HOST: '192.0.2.7' })[0]).toMatch(/^KENNING_BASE_URL: /)
  })
})

const OIDC = {
  KENNING_OIDC_ISSUER: 'https://login.example.org',
  KENNING_OIDC_CLIENT_ID: 'kenning',
  KENNING_OIDC_CLIENT_SECRET: 'secret',
}

test('the ports of figures are others than that of the service', () => {
  expect(readConfig({ KENNING_METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
  for (const port of ['8484', '8483'])
    expect(problems({ KENNING_METRICS_PORT: port })).toEqual([
      expect.stringMatching(/^KENNING_METRICS_PORT: .*others than KENNING_PORT \(8484\)$/),
    ])
})

test('without settings no proxy is trusted, no mail sent and no provider asked', () => {
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

test('pages of other sites are allowed by origin', () => {
  const read = (text: string) => readConfig({ KENNING_CORS_ORIGINS: text }).corsOrigins
  expect(read('https://app.example.org, http://localhost:5173')).toEqual([
    'https://app.example.org',
    'http://localhost:5173',
  ])
  for (const wrong of ['*', 'null', 'app.example.org', 'https://app.example.org/', 'https://App.example.org'])
    expect(problems({ KENNING_CORS_ORIGINS: wrong })[0], wrong).toMatch(/^KENNING_CORS_ORIGINS: /)
})

test('a mail server needs an address and a sender', () => {
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

test('company sign-in needs all three settings, https, and groups where the provider is public', () => {
  expect(readConfig({ ...OIDC, KENNING_OIDC_GROUPS: 'staff, Sales%2C North' }).company).toEqual({
    issuer: 'https://login.example.org',
    clientId: 'kenning',
    clientSecret: 'secret',
    scopes: undefined,
    acceptsUnverifiedEmail: false,
    groups: ['staff', 'Sales, North'],
    groupsClaim: 'groups',
    roles: [],
    label: 'your company account',
  })
  for (const name of Object.keys(OIDC)) {
    const { [name as keyof typeof OIDC]: _left, ...rest } = OIDC
    expect(problems(rest)).toEqual([expect.stringMatching(new RegExp(`^${name}: must be set together`))])
  }
  const at = (issuer: string, more = {}) => problems({ ...OIDC, KENNING_OIDC_ISSUER: issuer, ...more })
  for (const wrong of ['http://login.example.org', 'login.example.org', 'https://login.example.org?x=1'])
    expect(at(wrong)[0], wrong).toMatch(/^KENNING_OIDC_ISSUER: /)
  const publicIssuers = ['https://accounts.google.com', 'https://login.microsoftonline.com/common/v2.0']
  for (const issuer of publicIssuers) {
    expect(at(issuer)).toEqual([expect.stringMatching(/^KENNING_OIDC_GROUPS: /)])
    expect(at(issuer, { KENNING_OIDC_GROUPS: 'example.org', KENNING_OIDC_GROUPS_CLAIM: 'hd' })).toEqual([])
  }
  expect(at('https://login.microsoftonline.com/0f3a-tenant/v2.0')).toEqual([])
})

test('scopes of the company sign-in are a list with openid', () => {
  const scopes = (text: string) => readConfig({ ...OIDC, KENNING_OIDC_SCOPES: text }).company?.scopes
  expect(scopes('openid  email,api://kenning/read')).toEqual(['openid', 'email', 'api://kenning/read'])
  for (const wrong of ['email profile', 'openid e"mail', 'openid  \\'])
    expect(problems({ ...OIDC, KENNING_OIDC_SCOPES: wrong })[0], wrong).toMatch(/^KENNING_OIDC_SCOPES: /)
})

test('unverified addresses are accepted by a setting, and never where anybody can have an account', () => {
  const accept = { KENNING_OIDC_UNVERIFIED_EMAIL: 'accept' }
  expect(readConfig({ ...OIDC, ...accept }).company?.acceptsUnverifiedEmail).toBe(true)
  for (const tenant of ['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad'])
    expect(
      problems({
        ...OIDC,
        ...accept,
        KENNING_OIDC_ISSUER: `https://login.microsoftonline.com/${tenant}/v2.0`,
        KENNING_OIDC_GROUPS: 'staff',
      }),
      tenant,
    ).toEqual([expect.stringMatching(/^KENNING_OIDC_UNVERIFIED_EMAIL: must not be accept for this provider/)])
  expect(problems({ ...OIDC, KENNING_OIDC_UNVERIFIED_EMAIL: 'yes' })[0]).toMatch(/refuse or accept$/)
  expect(problems(accept)).toEqual(['KENNING_OIDC_ISSUER: must be set when KENNING_OIDC_UNVERIFIED_EMAIL is'])
})

test('the public address may have a path of plain names, of which the first is none of our own', () => {
  const read = (address: string) => readConfig({ KENNING_BASE_URL: address })
  expect(read('https://intranet.example/apps/kenning/v1')).toMatchObject({
    baseUrl: 'https://intranet.example/apps/kenning/v1',
    siteUrl: 'https://intranet.example/apps/kenning',
    origin: 'https://intranet.example',
  })
  for (const path of [
    '',
    '/',
    '/kenning',
    '/kenning/v1/',
    '/v1/v1',
    '/w/v1',
    '/docs/a/v1',
    '/models/v1',
    '/healthz/v1',
    '/readyz/v1',
    '//v1',
    '/a b/v1',
  ])
    expect(() => read(`https://intranet.example${path}`), path).toThrow('KENNING_BASE_URL')
})

test('proxies in either case and with or without a scheme, and a file of authorities', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kenning-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'authority.pem')
  const [pem = ''] = rootCertificates
  writeFileSync(file, pem)
  expect(readConfig({}).network).toEqual({
    proxies: { http: undefined, https: undefined },
    noProxy: [],
    proxyResolves: false,
    authorities: undefined,
  })
  const { network } = readConfig({
    https_proxy: 'proxy.example:3128',
    HTTP_PROXY: 'http://me:secret@proxy.example:3128',
    no_proxy: '.example.org, 10.0.0.0/8',
    KENNING_CA_FILE: file,
    NODE_EXTRA_CA_CERTS: join(folder, 'none.pem'),
  })
  expect(network).toEqual({
    proxies: { http: 'http://me:secret@proxy.example:3128', https: 'http://proxy.example:3128' },
    noProxy: ['.example.org', '10.0.0.0/8'],
    proxyResolves: false,
    authorities: pem,
  })
  writeFileSync(file, 'no certificate')
  expect(() => readConfig({ HTTPS_PROXY: 'socks5://proxy.example', KENNING_CA_FILE: file })).toThrow(
    /HTTPS_PROXY: must be an http or https address.*KENNING_CA_FILE: .*authority.pem is not a file of certificates/s,
  )
})

test('NO_PROXY: what has a slash is a network', () => {
  const read = (text: string) => readConfig({ NO_PROXY: text }).network.noProxy
  const items = ['example.org:8443', '.example.org', '[::1]:80', '10.0.0.0/8', 'fd00::/8', '[fd00::/8]', '*']
  expect(read(items.join(','))).toEqual(items)
  for (const wrong of ['10.0.0.0/33', '10.0.0.0/255.0.0.0', '10.0.0.0/', 'fd00::/129', '10.0.0/8'])
    expect(problems({ NO_PROXY: `example.org,${wrong}` }), wrong).toEqual([
      expect.stringMatching(/^NO_PROXY: .*such as 10\.0\.0\.0\/8/),
    ])
})

test('a bare % in the name or password of a proxy is told, without the password', () => {
  const read = (HTTPS_PROXY: string) => readConfig({ HTTPS_PROXY }).network.proxies.https
  expect(read('http://u:50%25off@proxy.example')).toBe('http://u:50%25off@proxy.example')
  for (const wrong of ['http://u:50%off@proxy.example', 'u%:p@proxy.example', 'http://u:%ff@proxy.example'])
    expect(problems({ HTTPS_PROXY: wrong }), wrong).toEqual([
      'HTTPS_PROXY: must have % in its name and password written as %25, and other signs as UTF-8',
    ])
})

test('.env.example names every setting, and no other', () => {
  const named = [...readFileSync('.env.example', 'utf8').matchAll(/^#?\s?([A-Z][A-Z0-9_]+)=/gm)].map(
    (match) => match[1],
  )
  expect(named.sort()).toEqual(Object.keys(settings).sort())
})

test('unknown settings are named in one sentence, with the name that was probably meant', () => {
  const given = { KENNING_PROT: '80', KENNING_ASK_PER_HUOR: '5', KENNING_COLOUR: 'red', KENNING_PORT: '8080' }
  expect(readConfig(given).warnings).toEqual([
    'These settings are unknown and have no effect: KENNING_ASK_PER_HUOR (did you mean KENNING_ASK_PER_HOUR?), ' +
      'KENNING_COLOUR, KENNING_PROT (did you mean KENNING_PORT?).',
  ])
  expect(readConfig({}).warnings).toEqual([])
})

test('the folder for backups is absolute and not in the data folder', () => {
  const at = (KENNING_BACKUP_DIR: string) =>
    problems({ KENNING_BACKUP_DIR, KENNING_DATA_DIR: '/srv/kenning' })
  expect(readConfig({ KENNING_BACKUP_DIR: '/mnt/backup' }).backupDir).toBe('/mnt/backup')
  expect(readConfig({ KENNING_BACKUP_DIR: '' }).backupDir).toBeUndefined()
  expect(
    readConfig({ KENNING_BACKUP_DIR: '/srv/kenning-backup', KENNING_DATA_DIR: '/srv/kenning' }).backupDir,
  ).toBe('/srv/kenning-backup')
  expect(at('backup')).toEqual([expect.stringMatching(/^KENNING_BACKUP_DIR: must be an absolute path/)])
  for (const inside of ['/srv/kenning', '/srv/kenning/backups'])
    expect(at(inside)).toEqual([expect.stringContaining('must not be in KENNING_DATA_DIR')])
})

test('a bucket for files: its address and key go together', () => {
  const key = { KENNING_S3_KEY_ID: 'id', KENNING_S3_SECRET: 'secret' }
  const at = (KENNING_BLOBS: string, more: Record<string, string> = key) =>
    problems({ KENNING_BLOBS, ...more })
  expect(readConfig({ KENNING_BLOBS: 's3://files/a/b/', ...key }).blobs).toEqual({
    endpoint: 'https://s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
    bucket: 'files',
    prefix: 'a/b/',
    keyId: 'id',
    secret: 'secret',
  })
  expect(readConfig({ KENNING_BLOBS: 's3://files', ...key }).blobs?.prefix).toBe('')
  expect(readConfig({}).blobs).toBeUndefined()
  for (const wrong of [
    'files',
    's3://',
    's3://F',
    'https://s3.example.org/files',
    's3://files/../a',
    's3://files/a b',
  ])
    expect(at(wrong)).toEqual([expect.stringMatching(/^KENNING_BLOBS: must be a bucket/)])
  expect(at('s3://files', {})).toEqual([
    'KENNING_S3_KEY_ID: must be set when KENNING_BLOBS is',
    'KENNING_S3_SECRET: must be set when KENNING_BLOBS is',
  ])
  expect(problems({ KENNING_S3_SECRET: 'secret' })).toEqual([
    'KENNING_BLOBS: must be set when KENNING_S3_SECRET is',
  ])
})
