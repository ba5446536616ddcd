// Settings of who comes in and how: mail for links, proxies in front, the company's own sign-in. Read by ../config.ts.

import { isIP } from 'node:net'
import { z } from 'zod'

const optional = z.string().min(1).optional()
const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

export const peopleSettings = {
  KENNING_SIGNUP: {
    schema: z.enum(['closed', 'open'], 'must be closed or open').default('closed'),
    says: 'whether anyone may make an account',
  },
  KENNING_TRUSTED_PROXIES: {
    schema: z
      .string()
      .transform(list)
      .refine(
        (items) => items.every(isNetwork),
        'must be addresses or networks, such as 10.0.0.0/8,127.0.0.1',
      )
      .default([]),
    says: 'proxies whose X-Forwarded-For is believed: addresses or networks, with commas between them',
  },
  KENNING_CORS_ORIGINS: {
    schema: z
      .string()
      .transform(list)
      .refine(
        (items) => items.every((text) => URL.canParse(text) && new URL(text).origin === text),
        'must be origins, such as https://app.example.org,http://localhost:5173',
      )
      .default([]),
    says: 'origins whose pages may call the API from a browser, with commas between them',
  },
  KENNING_SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }).optional(),
    says: 'mail server for invitations and new passwords, such as smtps://user:password@mail.example.org',
  },
  KENNING_MAIL_FROM: { schema: optional, says: 'who those mails are from' },
  KENNING_OIDC_ISSUER: {
    schema: z
      .string()
      .refine(isIssuer, 'must be an https URL (or http on localhost) without query')
      .optional(),
    says: "the company's OpenID provider (Google, Microsoft, Okta, Keycloak …): its issuer",
  },
  KENNING_OIDC_CLIENT_ID: { schema: optional, says: 'Kenning as that provider knows it' },
  KENNING_OIDC_CLIENT_SECRET: { schema: optional, says: 'its secret' },
  KENNING_OIDC_GROUPS: {
    schema: z.string().transform(list).default([]),
    says: 'who is in one of these groups may sign in; everybody the provider knows when empty',
  },
  KENNING_OIDC_GROUPS_CLAIM: {
    schema: z.string().min(1).default('groups'),
    says: "claim that lists somebody's groups",
  },
  KENNING_OIDC_LABEL: {
    schema: z.string().min(1).max(60).default('your company account'),
    says: 'what the button says after "Sign in with"',
  },
} as const satisfies Record<string, { schema: z.ZodType; says: string }>

export interface PeopleConfig {
  signup: 'closed' | 'open'
  trustedProxies: string[]
  corsOrigins: string[]
  mail: { url: string; from: string } | undefined
  company:
    | {
        issuer: string
        clientId: string
        clientSecret: string
        groups: string[]
        groupsClaim: string
        label: string
      }
    | undefined
}

// Whoever has an account there is known to these: without groups the door would stand open.
const PUBLIC_ISSUERS =
  /^https:\/\/(accounts\.google\.com|login\.microsoftonline\.com\/(common|consumers|organizations))(\/|$)/

type Read = <Schema extends z.ZodType>(name: string, schema: Schema) => z.output<Schema>

/** @param problems each setting that is missing is added, as a line that names it */
export function readPeople(read: Read, problems: string[]): PeopleConfig {
  const s = peopleSettings
  const url = read('KENNING_SMTP_URL', s.KENNING_SMTP_URL.schema)
  const from = read('KENNING_MAIL_FROM', s.KENNING_MAIL_FROM.schema)
  if (url && !from) problems.push('KENNING_MAIL_FROM: must be set together with KENNING_SMTP_URL')
  if (from && !url) problems.push('KENNING_SMTP_URL: must be set together with KENNING_MAIL_FROM')
  const issuer = read('KENNING_OIDC_ISSUER', s.KENNING_OIDC_ISSUER.schema)
  const clientId = read('KENNING_OIDC_CLIENT_ID', s.KENNING_OIDC_CLIENT_ID.schema)
  const clientSecret = read('KENNING_OIDC_CLIENT_SECRET', s.KENNING_OIDC_CLIENT_SECRET.schema)
  const parts = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
  for (const [name, value] of Object.entries(parts)) {
    const others = Object.values(parts).some(Boolean)
    if (!value && others) problems.push(`KENNING_OIDC_${name}: must be set together with the other ones`)
  }
  if (
    issuer &&
    PUBLIC_ISSUERS.test(issuer) &&
    !read('KENNING_OIDC_GROUPS', s.KENNING_OIDC_GROUPS.schema)?.length
  ) {
    problems.push(
      'KENNING_OIDC_GROUPS: must be set for this provider, which knows the whole world; for Google your domain, with KENNING_OIDC_GROUPS_CLAIM=hd',
    )
  }
  const rest = {
    groups: read('KENNING_OIDC_GROUPS', s.KENNING_OIDC_GROUPS.schema),
    groupsClaim: read('KENNING_OIDC_GROUPS_CLAIM', s.KENNING_OIDC_GROUPS_CLAIM.schema),
    label: read('KENNING_OIDC_LABEL', s.KENNING_OIDC_LABEL.schema),
  }
  return {
    signup: read('KENNING_SIGNUP', s.KENNING_SIGNUP.schema),
    trustedProxies: read('KENNING_TRUSTED_PROXIES', s.KENNING_TRUSTED_PROXIES.schema),
    corsOrigins: read('KENNING_CORS_ORIGINS', s.KENNING_CORS_ORIGINS.schema),
    mail: url && from ? { url, from } : undefined,
    company: issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, ...rest } : undefined,
  }
}

function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return !search && !hash && (protocol === 'https:' || (protocol === 'http:' && loopback))
}
