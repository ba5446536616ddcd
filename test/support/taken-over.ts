// A child that reads a stranger's bytes and was taken over: it sends what its task says, as JSON, and goes on running.

process.once('message', (task: { copyId?: string; list?: { branch: string } }) => {
  for (const message of JSON.parse(task.copyId ?? task.list?.branch ?? '[]') as unknown[])
    process.send?.(message as object)
})
setInterval(() => undefined, 1000)
