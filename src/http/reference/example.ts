// A request of each operation as a command for a terminal, with the body of its example.

import type { Operation } from './description.ts'

type ExampleRequest = Pick<Operation, 'parameters'> & {
  method: string
  path: string
  requestBody: Operation['requestBody'] | undefined
}

export function exampleOf({ method, path, requestBody }: ExampleRequest, base: string): string {
  const address = base + path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}"`]
  lines.push('-H "Authorization: Bearer $TOKEN"')
  const json = requestBody?.content['application/json']
  if (json) {
    lines.push("-H 'Content-Type: application/json'")
    // A quotation mark in a text would end the argument.
    lines.push(`-d '${JSON.stringify(json.example).replaceAll("'", "'\\''")}'`)
  }
  if (requestBody?.content['multipart/form-data']) lines.push('-F files=@contract.pdf')
  if (requestBody?.content['application/zip'])
    lines.push("-H 'Content-Type: application/zip'", '--data-binary @workspace.zip')
  return lines.join(' \\\n  ')
}
