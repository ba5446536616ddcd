// A conversation with a model that may call tools, in OpenAI's terms. Data only.

export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of the arguments, which are an object. */
  parameters: object
}

export interface ToolCall {
  id: string
  name: string
  /** JSON as the model wrote it; untrusted, and perhaps malformed. */
  arguments: string
}

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; calls: readonly ToolCall[] }
  | { role: 'tool'; callId: string; name: string; content: string }

export interface Conversation {
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  /** If false, the model must answer now. */
  mayCall: boolean
  mostTokens: number
}

/** A turn of the model. */
export interface ModelTurn {
  text: string
  calls: ToolCall[]
  /** Of prompt and answer; undefined if the server does not report them. */
  tokens: number | undefined
}
