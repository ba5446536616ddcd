// A language model that adds up the tokens of its calls, so that a trial can report its cost. Nothing is stored, and no limit is
// checked.

import type { ChatModel } from '../ports/llm/llm.ts'
import { estimateTokens } from '../ports/llm/tokens.ts'
import { type Amount, amountOf, sumOf, usageOfReply, usageOfTurn } from './amounts.ts'

export interface CountedModel {
  model: ChatModel
  /** The tokens of all calls until now. */
  used(): Amount
}

export function countedModel(llm: ChatModel): CountedModel {
  const amounts: Amount[] = []
  const estimateOf = (content: unknown) => (): number => estimateTokens(JSON.stringify(content))
  const model: ChatModel = {
    ...llm,
    complete: async (request, signal, onAnswer) => {
      const reply = await llm.complete(request, signal, onAnswer)
      amounts.push(amountOf(usageOfReply(reply), estimateOf([request.system, request.user, request.schema])))
      return reply
    },
    converse: async (conversation, signal, onText, onAnswer) => {
      const turn = await llm.converse(conversation, signal, onText, onAnswer)
      amounts.push(amountOf(usageOfTurn(turn), estimateOf([conversation.messages, conversation.tools])))
      return turn
    },
  }
  return { model, used: () => sumOf(amounts) }
}
