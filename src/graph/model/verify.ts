// Nothing a model says is believed: a name must stand in a chunk letter by letter, a quote in the text, types in the
// lists, both ends of a relation among the entities and in the chunk of the quote. What fails is left out, alone.

import { z } from 'zod'
import type { ExtractChunk, Mention, RelationEvidence } from '../extraction.ts'
import { ENTITY_TYPES, nameKey } from '../names.ts'
import { RELATION_TYPES } from './prompt.ts'

/** `chunk_no` is the chunk's place in the batch. */
export interface Findings {
  mentions: Mention[]
  relations: RelationEvidence[]
}

const Reply = z.object({ entities: z.array(z.unknown()), relations: z.array(z.unknown()).default([]) })
const Named = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  name: z.string().min(2).max(120),
  type: z.enum(ENTITY_TYPES),
  aliases: z.array(z.string().min(2).max(120)).max(20).catch([]),
})
const Stated = z.object({
  source: z.union([z.string(), z.number()]).transform(String),
  target: z.union([z.string(), z.number()]).transform(String),
  type: z.enum(RELATION_TYPES),
  quote: z.string().min(3).max(2000),
})
type NamedEntity = z.output<typeof Named>

const MOST_ENTITIES = 100
const MOST_RELATIONS = 100
// Of one name in one chunk.
const MOST_PLACES = 50

/** What of the reply holds; undefined when it is not the JSON that was asked for. */
export function verify(batch: readonly Pick<ExtractChunk, 'text'>[], reply: string): Findings | undefined {
  const parsed = Reply.safeParse(jsonIn(reply))
  if (!parsed.success) return undefined
  const entities = new Map<string, { key: string; mentions: Mention[] }>()
  for (const said of parsed.data.entities.slice(0, MOST_ENTITIES)) {
    const entity = Named.safeParse(said)
    if (!entity.success || entities.has(entity.data.id)) continue
    const mentions = mentionsOf(batch, entity.data)
    if (mentions.length > 0) entities.set(entity.data.id, { key: nameKey(entity.data.name), mentions })
  }
  const relations = parsed.data.relations.slice(0, MOST_RELATIONS).flatMap((said) => {
    const stated = Stated.safeParse(said)
    const source = stated.success ? entities.get(stated.data.source) : undefined
    const target = stated.success ? entities.get(stated.data.target) : undefined
    if (!stated.success || !source || !target || source.key === target.key) return []
    const place = placeOf(batch, stated.data.quote)
    if (!place || ![source, target].every(({ mentions }) => isIn(mentions, place))) return []
    return [{ ...place, head: source.key, type: stated.data.type, tail: target.key }]
  })
  return { mentions: withoutRepeats([...entities.values()].flatMap(({ mentions }) => mentions)), relations }
}

/** The JSON of a reply that may stand in a code fence or between words. */
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

/** Where name and aliases stand as whole words. Empty when the name itself, or every letter, is missing. */
function mentionsOf(
  batch: readonly Pick<ExtractChunk, 'text'>[],
  { name, type, aliases }: NamedEntity,
): Mention[] {
  const key = nameKey(name)
  if (!/\p{L}/u.test(name) || !key) return []
  const surfaces = [...new Set([name, ...aliases])].filter((surface) => /\p{L}/u.test(surface))
  const found = batch.flatMap(({ text }, chunk_no) =>
    surfaces.flatMap((surface) =>
      placesOf(text, surface).map((start): Mention => {
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
  return found.some(({ own }) => own) ? found : []
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character)

function placesOf(text: string, surface: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(surface); at >= 0; at = text.indexOf(surface, at + surface.length)) {
    const whole =
      !(isWord(text[at - 1]) && isWord(surface[0])) &&
      !(isWord(text[at + surface.length]) && isWord(surface.at(-1)))
    if (whole) places.push(at)
    if (places.length >= MOST_PLACES) break
  }
  return places
}

interface Place {
  chunk_no: number
  start: number
  end: number
}

/** Where the quote stands, runs of white space being one space. */
function placeOf(batch: readonly Pick<ExtractChunk, 'text'>[], quote: string): Place | undefined {
  const words = quote
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0 || words[0] === '') return undefined
  const pattern = new RegExp(words.join('\\s+'))
  for (const [chunk_no, { text }] of batch.entries()) {
    const match = pattern.exec(text)
    if (match) return { chunk_no, start: match.index, end: match.index + match[0].length }
  }
  return undefined
}

const isIn = (mentions: readonly Mention[], place: Place): boolean =>
  mentions.some(({ chunk_no }) => chunk_no === place.chunk_no)

/** One mention for one place: the first entity that claims it. */
function withoutRepeats(mentions: readonly Mention[]): Mention[] {
  const taken = new Set<string>()
  return mentions.filter(({ chunk_no, start, end }) => {
    const place = `${chunk_no}:${start}:${end}`
    return taken.has(place) ? false : taken.add(place)
  })
}
