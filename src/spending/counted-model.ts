// A language model whose calls are added up, for what a trial says of its own cost. Nothing is booked, and no limit is asked for.

import type { ChatModel } from '../ports/llm/llm.ts'
import { estimateTokens } from '../ports/llm/tokens.ts'
import { type Amount, amountOf, sumOf, useOfReply, useOfTurn } from './amounts.ts'

export interface CountedModel {
  model: ChatModel
  /** What the calls took until now. */
  used(): Amount
}

export function countedModel(llm: ChatModel): CountedModel {
  const amounts: Amount[] = []
  const estimateOf = (content: unknown) => (): number => estimateTokens(JSON.stringify(content))
  const model: ChatModel = {
    ...llm,
    complete: async (request, signal, onAnswer) => {
      const reply = await llm.complete(request, signal, onAnswer)
      amounts.push(amountOf(useOfReply(reply), estimateOf([request.system, request.user, request.schema])))
      return reply
    },
    converse: async (conversation, signal, onText, onAnswer) => {
      const turn = await llm.converse(conversation, signal, onText, onAnswer)
      amounts.push(amountOf(useOfTurn(turn), estimateOf([conversation.messages, conversation.tools])))
      return turn
    },
  }
  return { model, used: () => sumOf(amounts) }
}
