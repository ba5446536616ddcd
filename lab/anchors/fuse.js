// How two rankings become one where an engine has no way of its own.

/** Reciprocal rank fusion of two lists of ids, k 60: what each of these engines offers or its users write. */
export function fuse(first, second) {
  const scores = new Map()
  for (const list of [first, second])
    list.forEach((id, rank) => {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (60 + rank + 1))
    })
  return [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id)
}
