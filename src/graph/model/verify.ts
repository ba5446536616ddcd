// Verifies the findings of a model. A name and a quote must occur verbatim in a chunk. Types must be in the lists. Both ends of a
// relation must be entities that the chunk of the quote mentions. Findings that fail are removed.

import { z } from 'zod'
import type { ExtractChunk, Mention, RelationEvidence } from '../extraction.ts'
import { ENTITY_TYPES, nameKey } from '../names.ts'
import { RELATION_TYPES } from './prompt.ts'

/** `chunk_no` is the position of the chunk in the batch. */
export interface VerifiedFindings {
  mentions: Mention[]
  relations: RelationEvidence[]
}

const ReplySchema = z.object({ entities: z.array(z.unknown()), relations: z.array(z.unknown()).default([]) })
const EntitySchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  name: z.string().min(2).max(120),
  type: z.enum(ENTITY_TYPES),
  aliases: z.array(z.string().min(2).max(120)).max(20).catch([]),
})
const RelationSchema = z.object({
  source: z.union([z.string(), z.number()]).transform(String),
  target: z.union([z.string(), z.number()]).transform(String),
  type: z.enum(RELATION_TYPES),
  quote: z.string().min(3).max(2000),
})
type ReplyEntity = z.output<typeof EntitySchema>

const MAX_ENTITIES = 100
const MAX_RELATIONS = 100
// The limit for the mentions of one name in one chunk.
const MAX_MENTIONS_PER_CHUNK = 50

/** The verified part of the reply. Undefined if the reply is not the requested JSON. */
export function verifyReply(
  batch: readonly Pick<ExtractChunk, 'text'>[],
  reply: string,
): VerifiedFindings | undefined {
  const parsedReply = ReplySchema.safeParse(jsonIn(reply))
  if (!parsedReply.success) return undefined
  const entities = new Map<string, { key: string; mentions: Mention[] }>()
  for (const candidate of parsedReply.data.entities.slice(0, MAX_ENTITIES)) {
    const entity = EntitySchema.safeParse(candidate)
    if (!entity.success || entities.has(entity.data.id)) continue
    const mentions = mentionsOf(batch, entity.data)
    if (mentions.length > 0) entities.set(entity.data.id, { key: nameKey(entity.data.name), mentions })
  }
  const relations = parsedReply.data.relations.slice(0, MAX_RELATIONS).flatMap((relation) => {
    const parsedRelation = RelationSchema.safeParse(relation)
    const source = parsedRelation.success ? entities.get(parsedRelation.data.source) : undefined
    const target = parsedRelation.success ? entities.get(parsedRelation.data.target) : undefined
    if (!parsedRelation.success || !source || !target || source.key === target.key) return []
    const location = locationOf(batch, parsedRelation.data.quote)
    if (!location || ![source, target].every(({ mentions }) => hasMentionInChunk(mentions, location)))
      return []
    return [{ ...location, head: source.key, type: parsedRelation.data.type, tail: target.key }]
  })
  return { mentions: withoutRepeats([...entities.values()].flatMap(({ mentions }) => mentions)), relations }
}

/** The JSON in a reply, which may be in a code fence or between words. */
function jsonIn(reply: string): unknown {
  const from = reply.indexOf('{')
  const to = reply.lastIndexOf('}')
  if (from < 0 || to < from) return undefined
  try {
    return JSON.parse(reply.slice(from, to + 1))
  } catch {
    return undefined
  }
}

/** The mentions of name and aliases as whole words. Empty if the name itself does not occur, or has no letter. */
function mentionsOf(
  batch: readonly Pick<ExtractChunk, 'text'>[],
  { name, type, aliases }: ReplyEntity,
): Mention[] {
  const key = nameKey(name)
  if (!/\p{L}/u.test(name) || !key) return []
  const surfaces = [...new Set([name, ...aliases])].filter((surface) => /\p{L}/u.test(surface))
  const occurrences = batch.flatMap(({ text }, chunk_no) =>
    surfaces.flatMap((surface) =>
      startsOf(text, surface).map((start): Mention => {
        return {
          chunk_no,
          key,
          surface,
          own: nameKey(surface) === key,
          type,
          start,
          end: start + surface.length,
        }
      }),
    ),
  )
  return occurrences.some(({ own }) => own) ? occurrences : []
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

function startsOf(text: string, surface: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf(surface); at >= 0; at = text.indexOf(surface, at + surface.length)) {
    const isWholeWord =
      !(isWord(text[at - 1]) && isWord(surface[0])) &&
      !(isWord(text[at + surface.length]) && isWord(surface.at(-1)))
    if (isWholeWord) starts.push(at)
    if (starts.length >= MAX_MENTIONS_PER_CHUNK) break
  }
  return starts
}

interface Location {
  chunk_no: number
  start: number
  end: number
}

/** The location of the quote. Differences in white space are ignored. */
function locationOf(batch: readonly Pick<ExtractChunk, 'text'>[], quote: string): Location | undefined {
  const escapedWords = quote
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (escapedWords.length === 0 || escapedWords[0] === '') return undefined
  const pattern = new RegExp(escapedWords.join('\\s+'))
  for (const [chunk_no, { text }] of batch.entries()) {
    const match = pattern.exec(text)
    if (match) return { chunk_no, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

const hasMentionInChunk = (mentions: readonly Mention[], location: Location): boolean =>
  mentions.some(({ chunk_no }) => chunk_no === location.chunk_no)

/** The position of a mention as a text, by which mentions are compared. */
export const positionKey = ({ chunk_no, start, end }: Mention): string => `${chunk_no}:${start}:${end}`

/** Keeps one mention for each position: that of the first entity. */
function withoutRepeats(mentions: readonly Mention[]): Mention[] {
  const seenPositions = new Set<string>()
  return mentions.filter((mention) => {
    const key = positionKey(mention)
    return seenPositions.has(key) ? false : seenPositions.add(key)
  })
}
