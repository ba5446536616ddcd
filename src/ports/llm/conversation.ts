// The data of a conversation with a model that may call tools, in OpenAI's terms.

export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of the arguments. They are an object. */
  parameters: object
}

export interface ToolCall {
  id: string
  name: string
  /** JSON as the model wrote it. It is untrusted and may be malformed. */
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
  maxTokens: number
}

/** One message of the model. */
export interface ModelTurn {
  text: string
  calls: ToolCall[]
  /** Tokens of prompt and answer. Undefined if the server does not report them. */
  tokens: number | undefined
}
