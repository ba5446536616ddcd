// The command line of `npm run demo`.

import { parseArgs } from 'node:util'

export interface Options {
  /** The user's folder, instead of examples/. */
  files: string | undefined
  /** The user's questions instead of the built-in ones. */
  ask: string[]
  /** Stop the service after the tour. */
  exit: boolean
  help: boolean
}

export const USAGE = `npm run demo                      a tour with the files in examples/
npm run demo -- --files DIR       the same with your own folder, including the folders in it
npm run demo -- --ask "…"         your question instead of the built-in ones; can be repeated
npm run demo -- --exit            stop the service after the tour (default: on Ctrl-C)

It starts Kenning with its embedded database, for this machine only, in ./data/demo (or in
KENNING_DATA_DIR) and on port 8484 (or KENNING_PORT; if it is in use, on a free one). The first
account has KENNING_ADMIN_EMAIL and KENNING_ADMIN_PASSWORD, or a random password that is kept
in the data folder. A second run uses the same data. To start again, remove the data folder.
`

/** @throws TypeError that names the wrong argument */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      files: { type: 'string' },
      ask: { type: 'string', multiple: true, default: [] },
      exit: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  return { files: values.files, ask: values.ask, exit: values.exit, help: values.help }
}
