// The settings that commands read from the environment. They are separate from the settings of the service, because loading those
// schemas takes a third of the processor time of a short command.

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export interface CommandLineConfig {
  server: string | undefined
  token: string | undefined
  /** Kenning's own folders: sign-ins, the state of syncs, and caches. */
  folders: { config: string; state: string; cache: string; home: string }
  colour: 'auto' | 'always' | 'never'
  /** The environment, from which the settings of the network are read. */
  environment: NodeJS.ProcessEnv
}

/** Folders by the XDG Base Directory Specification, colours by NO_COLOR (no-color.org) and FORCE_COLOR. */
export function readCommandLineConfig(environment: NodeJS.ProcessEnv = process.env): CommandLineConfig {
  const home = environment.HOME || homedir()
  const folder = (name: string, defaultName: string): string => {
    const value = environment[name]
    return join(value && isAbsolute(value) ? value : join(home, defaultName), 'kenning')
  }
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  const isColourless = Boolean(NO_COLOR) || FORCE_COLOR === '0' || TERM === 'dumb'
  return {
    server: environment.KENNING_SERVER || undefined,
    token: environment.KENNING_TOKEN || undefined,
    folders: {
      config: folder('XDG_CONFIG_HOME', '.config'),
      state: folder('XDG_STATE_HOME', '.local/state'),
      cache: folder('XDG_CACHE_HOME', '.cache'),
      home,
    },
    environment,
    colour: isColourless ? 'never' : FORCE_COLOR ? 'always' : 'auto',
  }
}
