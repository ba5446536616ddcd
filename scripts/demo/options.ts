// The command line of `npm run demo`.

import { parseArgs } from 'node:util'

export interface Options {
  /** A folder of the user's own instead of examples/. */
  files: string | undefined
  /** The user's questions instead of the built-in ones. */
  ask: string[]
  /** Stop the service after the run instead of leaving it running. */
  exit: boolean
  help: boolean
}

export const USAGE = `npm run demo                      a tour with the files in examples/
npm run demo -- --files DIR       the same with a folder of your own (folders inside it too)
npm run demo -- --ask "…"         your question instead of the built-in ones; may be repeated
npm run demo -- --exit            stop the service after the tour (default: it stays until Ctrl-C)

It starts Kenning on this machine alone with its embedded database, in ./data/demo
(KENNING_DATA_DIR chooses another folder) and on port 8484 (KENNING_PORT chooses another; a
free one is taken when it is in use). The first account is made with KENNING_ADMIN_EMAIL and
KENNING_ADMIN_PASSWORD, or with an invented password that is kept in the data folder.
A second run finds its files again. To start anew, remove the data folder.
`

/** @throws TypeError with a sentence about the wrong argument */
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
