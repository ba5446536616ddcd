// Complete snippets that a client needs to connect: this server's addresses and, if the client uses one, the key.

export interface Server {
  /** `…/v1` */
  api: string
  mcp: string
}

/** Whether programs of Anthropic and OpenAI, which run on their servers, can reach this address. */
export function isPublic(address: string): boolean {
  const { protocol, hostname, port } = new URL(address)
  const isLocal =
    /^(localhost|.*\.(local|internal|lan)|\[.*\]|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*)$/.test(
      hostname,
    ) || !hostname.includes('.')
  return protocol === 'https:' && port === '' && !isLocal
}

const json = (value: object): string => JSON.stringify(value, null, 2)

/** Without a key an assistant asks its user to sign in. */
type Key = string | undefined

export const claudeCode = ({ mcp }: Server, key: Key): string =>
  `claude mcp add --transport http kenning ${mcp}${key ? ` \\\n  --header "Authorization: Bearer ${key}"` : ''}`

const headers = (key: Key) => (key ? { headers: { Authorization: `Bearer ${key}` } } : {})

export const cursor = ({ mcp }: Server, key: Key): string =>
  json({ mcpServers: { kenning: { url: mcp, ...headers(key) } } })

export const vsCode = ({ mcp }: Server, key: Key): string =>
  json({ servers: { kenning: { type: 'http', url: mcp, ...headers(key) } } })

export const curl = ({ api }: Server, key: string, workspace: string): string =>
  `curl ${api}/workspaces/${workspace}/search \\
  -H 'authorization: Bearer ${key}' \\
  -H 'content-type: application/json' \\
  -d '{"query": "notice period"}'`

export const typescript = ({ api }: Server, key: string, workspace: string): string =>
  `const workspace = '${api}/workspaces/${workspace}'
const key = '${key}'

const response = await fetch(\`\${workspace}/ask\`, {
  method: 'POST',
  headers: { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' },
  body: JSON.stringify({ question: 'How much notice does the lease need?' }),
})
const { answer, citations } = await response.json()
console.log(answer, citations)`
