// The parts of openapi.json that the reference shows.

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  description?: string
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  examples?: unknown[]
}

type Content = Record<string, { schema: Schema; example?: unknown }>

interface Response {
  description: string
  content?: Content
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: { name: string; in: string; required: boolean; schema: Schema; description?: string }[]
  requestBody?: { content: Content }
  responses: Record<string, Response>
}

export interface Description {
  info: { description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export const successResponseOf = (
  responses: Operation['responses'],
): [status: string, response: Response | undefined] => {
  const successResponse = Object.entries(responses).find(([status]) => status.startsWith('2'))
  return successResponse ?? ['', undefined]
}
