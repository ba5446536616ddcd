// How the processor time of two pieces of work compares. Wall time would judge the machine, not the code.

/** Processor time of this process, of its other threads too, in microseconds. */
async function cost(run: () => unknown): Promise<number> {
  const usageBefore = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(usageBefore)
  return user + system
}

/**
 * How many times the processor time of `other` this run takes, by the least of three each. Give `other` enough to do: what takes
 * less than a millisecond counts as one.
 */
export async function costRatio(run: () => unknown, other: () => unknown): Promise<number> {
  let [least, leastOfOther] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = 0; i < 3; i++) {
    leastOfOther = Math.min(leastOfOther, await cost(other))
    least = Math.min(least, await cost(run))
  }
  return least / Math.max(leastOfOther, 1000)
}
