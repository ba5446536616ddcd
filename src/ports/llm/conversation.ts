// The data of a conversation with a model that may call tools, in OpenAI's terms.

export interface ToolSpec {
  name: string
  description: string
  /** JSON Schema of the arguments. They are an object. */
  parameters: object
}

/**
 * Fields that the protocol does not define. They are not read, only sent back to the server with the message or call in which they
 * came.
 */
export type OpaqueFields = Readonly<Record<string, unknown>>

export interface ToolCall {
  id: string
  name: string
  /** JSON as the model wrote it. It is untrusted and may be malformed. */
  arguments: string
  opaque?: OpaqueFields
}

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; calls: readonly ToolCall[]; opaque?: OpaqueFields }
  | { role: 'tool'; callId: string; name: string; content: string }

export interface Conversation {
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  /** If false, the model may not call tools and must answer. */
  mayCall: boolean
  maxTokens: number
}

/**
 * How an answer ended: 'complete', 'cut' at the limit of tokens, or 'refused' by the server or the model. If the connection ends
 * too early, OutboundFailed is thrown instead.
 */
export type Ending = 'complete' | 'cut' | 'refused'

/** The size of a prompt in tokens. */
export interface PromptSize {
  /** An upper estimate (`estimateTokens`). */
  estimated: number
  /** The server's count of the tokens that it read. Undefined if it does not report them. */
  counted: number | undefined
}

/** One message of the model. */
export interface ModelTurn {
  /** Without the model's thoughts. */
  text: string
  calls: ToolCall[]
  ending: Ending
  opaque: OpaqueFields
  /** Tokens of prompt and answer. Undefined if the server does not report them. */
  tokens: number | undefined
  prompt: PromptSize
}

/** An answer that has begun to arrive, so the server has worked on it. It changes while more of it arrives. */
export interface BegunAnswer {
  /** Tokens, as the server has reported them so far. */
  readonly usage: { total: number | undefined; prompt: number | undefined } | undefined
  /** Whether the model has written its answer to the end. */
  readonly hasFinished: boolean
}
