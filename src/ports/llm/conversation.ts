// A conversation with a model that may call tools, in OpenAI's words: what is said, what it answers. Data only.

export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of the arguments, an object. */
  parameters: object
}

export interface ToolCall {
  id: string
  name: string
  /** JSON as the model wrote it: untrusted, perhaps broken. */
  arguments: string
}

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; calls: readonly ToolCall[] }
  | { role: 'tool'; callId: string; name: string; content: string }

export interface Conversation {
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  /** False: the model must answer now. */
  mayCall: boolean
  mostTokens: number
}

export interface Said {
  text: string
  calls: ToolCall[]
  /** What the server says both sides cost; undefined when it does not say. */
  tokens: number | undefined
}
