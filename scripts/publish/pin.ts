// `scripts/pin-images`.

import { allReferences, isPinned, pinAll } from './images.ts'

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === '--check') {
    const unpinned = allReferences().filter((reference) => !isPinned(reference))
    for (const reference of unpinned)
      process.stderr.write(`${reference} has no digest: run scripts/pin-images\n`)
    return unpinned.length > 0 ? 1 : 0
  }
  if (args.length > 0) {
    process.stderr.write('scripts/pin-images [--check]\n')
    return 2
  }
  try {
    for (const line of await pinAll()) process.stdout.write(`${line}\n`)
    return 0
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : error}. Nothing of this file was changed.\n`,
    )
    return 1
  }
}

process.exitCode = await main(process.argv.slice(2))
