// What the commands read of the environment. Apart from the service's settings, whose schemas take a third of the processor time
// of a short command to load.

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export interface CommandLineConfig {
  server: string | undefined
  token: string | undefined
  /** Folders of our own: what was signed in, what was put in step, what can be made again. */
  folders: { config: string; state: string; cache: string; home: string }
  colour: 'auto' | 'always' | 'never'
}

/** Folders by the XDG Base Directory Specification, colours by NO_COLOR (no-color.org) and FORCE_COLOR. */
export function readCommandLineConfig(environment: NodeJS.ProcessEnv = process.env): CommandLineConfig {
  const home = environment.HOME || homedir()
  const folder = (name: string, usual: string): string => {
    const value = environment[name]
    return join(value && isAbsolute(value) ? value : join(home, usual), 'kenning')
  }
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  const never = Boolean(NO_COLOR) || FORCE_COLOR === '0' || TERM === 'dumb'
  return {
    server: environment.KENNING_SERVER || undefined,
    token: environment.KENNING_TOKEN || undefined,
    folders: {
      config: folder('XDG_CONFIG_HOME', '.config'),
      state: folder('XDG_STATE_HOME', '.local/state'),
      cache: folder('XDG_CACHE_HOME', '.cache'),
      home,
    },
    colour: never ? 'never' : FORCE_COLOR ? 'always' : 'auto',
  }
}
