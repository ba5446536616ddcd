// All kinds of servers with which a conversation comes to its end.

import { type ServerKind, STANDARD } from '../support/chat-server.ts'
import { FULL } from '../support/full.ts'
import { anthropic } from './anthropic.ts'
import { azure } from './azure.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { llamaCpp, llamaCppWithoutJinja } from './llama-cpp.ts'
import { lmStudio } from './lm-studio.ts'
import { mistral } from './mistral.ts'
import { ollama, ollamaBehindGateway, ollamaOfOld, ollamaWithoutTools } from './ollama.ts'
import { openai } from './openai.ts'
import { openrouter, openrouterWithoutTools } from './openrouter.ts'
import { vllm, vllmWithoutTools } from './vllm.ts'

/** Servers that take tools. */
export const WITH_TOOLS: readonly ServerKind[] = [
  STANDARD,
  ollama,
  llamaCpp,
  vllm,
  lmStudio,
  openai,
  azure,
  gemini,
  deepseek,
  mistral,
  anthropic,
  openrouter,
]

/** Servers to which calls are written as text. */
export const WITHOUT_TOOLS: readonly ServerKind[] = [
  ollamaWithoutTools,
  vllmWithoutTools,
  openrouterWithoutTools,
  llamaCppWithoutJinja,
]

/** Servers whose context is short, by how they deal with a longer prompt. */
export const WITH_SHORT_CONTEXT: readonly ServerKind[] = [
  ollama,
  ollamaOfOld,
  ollamaBehindGateway,
  ollamaWithoutTools,
  llamaCpp,
  vllm,
  lmStudio,
]

export const ALL: readonly ServerKind[] = [...WITH_TOOLS, ...WITHOUT_TOOLS]

/** The kinds with which the gate runs the long suites; the full suite runs them with all. */
export const OFTEN: readonly ServerKind[] = FULL ? WITH_TOOLS : [STANDARD]
