// Prints the types of the client as plain interfaces, from the contract in its OpenAPI form: dist/src/client/types.d.ts of the
// package, in the place of src/client/types.ts, which gets the same from zod's types. test/e2e/package.test.ts compares them with
// each other and with those of another generator.

import { openApi } from '../src/contract/openapi.ts'
import type { Schema } from '../src/http/reference/description.ts'

interface Operation {
  operationId: string
  summary: string
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

type Field = [name: string, schema: Schema, required: boolean]

const HEAD = `// The types of the API, one for each schema and operation of openapi.json. Made by the build.

`

/** The text of types.d.ts. */
export function clientTypes(document = openApi('') as unknown as Document): string {
  const { schemas } = document.components
  const groups: Record<'Json' | 'Byte' | 'Other', string[]> = { Json: [], Byte: [], Other: [] }
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path)))
    groups[groupOf(operation)].push(printOperation(operation, schemas))
  const components = Object.entries(schemas).map(
    ([name, schema]) => `${comment(schema.description)}${declaration(name, schema)}`,
  )
  const operations = [
    ['JsonOperations', 'Operations that answer with JSON or nothing.', groups.Json],
    ['ByteOperations', 'Operations that answer with a file.', groups.Byte],
    ['OtherOperations', 'Uploads and streams of events, which have functions of their own.', groups.Other],
  ] as const
  const interfaces = operations.map(
    ([name, text, members]) => `${comment(text)}export interface ${name} {\n${members.join('\n')}\n}\n`,
  )
  return HEAD + [...components, ...interfaces].join('\n')
}

function groupOf({ requestBody, responses }: Operation): 'Json' | 'Byte' | 'Other' {
  const { 'application/json': _, ...files } = requestBody?.content ?? {}
  if (Object.keys(files).length > 0) return 'Other'
  const answers = Object.keys(success(responses)?.content ?? {})
  if (answers.length === 0 || answers.includes('application/json')) return 'Json'
  return answers.includes('text/event-stream') ? 'Other' : 'Byte'
}

const success = (responses: Operation['responses']) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]

function printOperation(operation: Operation, schemas: Record<string, Schema>): string {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const fields: Field[] = parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(({ name, schema, required }) => [name, schema, required])
  const body = requestBody?.content['application/json']?.schema
  if (body) fields.push(...fieldsOf(resolved(body, schemas)))
  const content = success(responses)?.content ?? {}
  const output = content['application/json']?.schema
  const outputs = output ? print(output, '\t\t') : content['text/event-stream'] ? 'JobProgress' : 'undefined'
  const input = fields.length === 0 ? '{}' : printFields(fields, '\t\t')
  return `${comment(summary, '\t')}\t${operationId}: {\n\t\tinput: ${input}\n\t\toutput: ${outputs}\n\t}`
}

const resolved = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref ? (schemas[nameOf(schema.$ref)] ?? {}) : schema

const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => [name, schema, required.includes(name)])

const declaration = (name: string, schema: Schema): string =>
  schema.properties
    ? `export interface ${name} ${print(schema, '')}\n`
    : `export type ${name} = ${print(schema, '')}\n`

function printFields(fields: readonly Field[], indent: string): string {
  const lines = fields.map(([name, schema, required]) => {
    const inner = `${indent}\t`
    const type = print(schema, inner)
    return `${comment(schema.description, inner)}${inner}${name}${required ? ': ' : '?: '}${type}${required ? '' : ' | undefined'}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** @throws Error for what the contract has not used so far, rather than a type that is too wide */
function print(schema: Schema, indent: string): string {
  const { $ref, anyOf, type, items, additionalProperties } = schema
  if ($ref) return nameOf($ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf) return anyOf.map((one) => print(one, indent)).join(' | ')
  if (Array.isArray(type)) return type.map((one) => print({ ...schema, type: one }, indent)).join(' | ')
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'array') return `Array<${print(items ?? {}, indent)}>`
  if (type === 'object' && schema.properties) return printFields(fieldsOf(schema), indent)
  if (type === 'object' && additionalProperties)
    return `{ [name: string]: ${print(additionalProperties, indent)} }`
  if (Object.keys(schema).length === 0) return 'unknown'
  throw new Error(`The client's types have no form for ${JSON.stringify(schema)}`)
}

const comment = (text: string | undefined, indent = ''): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : ''
