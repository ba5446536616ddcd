// As much of S3 as reading a bucket takes: listing objects and getting them, over HTTP, in one folder of this machine. It
// refuses whoever does not name the key.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export function s3Server(folder: string, bucket: string, accessKey: string): Server {
  const keys = (): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort()
  const object = (key: string): string => {
    const bytes = readFileSync(join(folder, key))
    const modifiedAt = statSync(join(folder, key)).mtime.toISOString()
    const tag = createHash('md5').update(bytes).digest('hex')
    return `<Contents><Key>${escaped(key)}</Key><LastModified>${modifiedAt}</LastModified><ETag>&quot;${tag}&quot;</ETag><Size>${bytes.length}</Size></Contents>`
  }
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3')
    const isKnown = request.headers.authorization?.includes(`Credential=${accessKey}/`)
    const answer = (status: number, body: string | Buffer, headers: Record<string, string> = {}): void =>
      void response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
    const error = (status: number, code: string): void =>
      answer(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
        'content-type': 'application/xml',
      })
    if (!isKnown) return error(403, 'AccessDenied')
    const [, of, ...rest] = decodeURIComponent(pathname).split('/')
    if (of !== bucket) return error(404, 'NoSuchBucket')
    const key = rest.join('/')
    if (!key) {
      const prefix = searchParams.get('prefix') ?? ''
      const found = keys().filter((one) => one.startsWith(prefix))
      const list = `<ListBucketResult><Name>${bucket}</Name><Prefix>${escaped(prefix)}</Prefix><IsTruncated>false</IsTruncated><KeyCount>${found.length}</KeyCount><MaxKeys>1000</MaxKeys>${found.map(object).join('')}</ListBucketResult>`
      return answer(200, list, { 'content-type': 'application/xml' })
    }
    if (!keys().includes(key)) return error(404, 'NoSuchKey')
    const bytes = readFileSync(join(folder, key))
    const tag = createHash('md5').update(bytes).digest('hex')
    answer(200, bytes, {
      'content-length': String(bytes.length),
      'last-modified': statSync(join(folder, key)).mtime.toUTCString(),
      etag: `"${tag}"`,
    })
  })
}
