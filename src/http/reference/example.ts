// A request of each operation as a command for a terminal, with values that its schema allows.

import type { Operation, Schema } from './description.ts'

type ExampleRequest = Pick<Operation, 'parameters'> & {
  method: string
  path: string
  requestBody: Operation['requestBody'] | undefined
}

export function exampleOf(
  { method, path, requestBody }: ExampleRequest,
  base: string,
  schemas: Record<string, Schema>,
): string {
  const address = base + path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}"`]
  lines.push('-H "Authorization: Bearer $TOKEN"')
  const json = requestBody?.content['application/json']?.schema
  if (json) {
    lines.push("-H 'Content-Type: application/json'")
    lines.push(`-d '${JSON.stringify(sampleOf(json, schemas))}'`)
  }
  if (requestBody?.content['multipart/form-data']) lines.push('-F files=@contract.pdf')
  if (requestBody?.content['application/zip'])
    lines.push("-H 'Content-Type: application/zip'", '--data-binary @workspace.zip')
  return lines.join(' \\\n  ')
}

const EXAMPLES: Record<string, unknown> = {
  query: 'notice period',
  question: 'When does the lease end?',
  name: 'Contracts',
  title: 'Leases',
  email: 'ada@example.org',
  folders: ['Contracts'],
}
const ID = '5f0c9c7e-3f5b-4b8e-9d55-6f2a4d1c8b30'

/** An object gets its required fields, or all if it has none. */
function sampleOf(schema: Schema, schemas: Record<string, Schema>, name = ''): unknown {
  if (schema.$ref)
    return sampleOf(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, schemas, name)
  if (name in EXAMPLES) return EXAMPLES[name]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], schemas, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'object') {
    const allFields = Object.entries(schema.properties ?? {})
    const requiredFields = allFields.filter(([field]) => schema.required?.includes(field))
    const exampleFields = requiredFields.length > 0 ? requiredFields : allFields
    return Object.fromEntries(exampleFields.map(([field, inner]) => [field, sampleOf(inner, schemas, field)]))
  }
  if (type === 'array') return [sampleOf(schema.items ?? {}, schemas, name)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return true
  if (schema.format === 'uuid') return ID
  if (schema.format === 'date-time') return '2027-01-31T12:00:00Z'
  return 'text'
}
