// The command tree: names, arguments, options and help. What a command does is imported when it is called.

import { Command, InvalidArgumentError } from 'commander'
import type { Common, Context } from './context.ts'

export interface Given {
  version: string
  streams: { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }
  open: () => Promise<Context>
}

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong use, 3 not signed in, 4 not found, 130 interrupted.
Documentation: docs/command-line.md`

export function buildProgram(given: Given): Command {
  const program = new Command('kenning')
    .description('Documents in; search, a knowledge graph and answers with citations out.')
    .version(given.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => given.streams.stdout.write(text),
      writeErr: (text) => given.streams.stderr.write(text),
    })
    .showHelpAfterError('(kenning help shows all commands)')
    .addHelpText('after', EXIT_CODES)
  program.commandsGroup('Ask and search:')
  addReading(program, given)
  program.commandsGroup('Documents:')
  addDocuments(program, given)
  program.commandsGroup('Who and where:')
  addAccess(program, given)
  program.commandsGroup('Run a service:')
  addOperators(program, given)
  return program
}

type Add = (program: Command, given: Given) => void

/** Options of every command that talks to a service. */
const served = (command: Command): Command =>
  command
    .option('--server <address>', 'the service (default: KENNING_SERVER, or where you signed in)')
    .option('--token <token>', 'a token or API key (better in KENNING_TOKEN)')
    .option('--json', "print the API's objects as JSON")

const inWorkspace = (command: Command): Command =>
  served(command.option('-w, --workspace <name>', 'name or id of the workspace; needless if you have one'))

const examples = (command: Command, lines: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)

export function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}

const addReading: Add = (program, { open }) => {
  const ask = program
    .command('ask')
    .argument('[folder]', 'a folder or file on this machine, which needs no service')
    .argument('[question]', 'without it you are asked, and can ask on')
    .summary('answer a question from the documents, with citations')
    .description('Answers a question from the documents of a workspace, or of a folder on this machine.')
    .option('-c, --continue', 'go on with your last conversation in the workspace')
    .option('--thread <id>', 'go on with this conversation')
  inWorkspace(ask).action(async (first, second, options) =>
    (await import('./commands/ask.ts')).ask(await open(), first, second, options),
  )
  examples(ask, [
    'kenning ask "When does the lease end?"',
    'kenning ask --continue "And who signed it?"',
    'kenning ask ./contracts "Which contracts can be ended within a month?"',
    'kenning ask --json "Who supplies the sensors?" | jq -r .answer',
  ])
  const search = program
    .command('search')
    .argument('<query...>')
    .summary('find passages')
    .description('Finds the passages that answer a query, best first.')
    .option('-n, --limit <number>', 'most passages, up to 20', count, 10)
    .option('--scope <name>', 'only in this part of the workspace, such as kind:pdf or folder:Contracts')
  inWorkspace(search).action(async (words: string[], options) =>
    (await import('./commands/search.ts')).search(await open(), words.join(' '), options),
  )
  examples(search, [
    'kenning search notice period',
    `kenning search '"written notice"' --scope folder:Contracts -n 3`,
  ])
}

const addDocuments: Add = () => {}

const addAccess: Add = (program, { open }) => {
  const login = program
    .command('login')
    .argument('[address]', 'of the service (default: the last one, or http://127.0.0.1:8484)')
    .summary('sign in with your browser')
    .option('--no-browser', 'only print the address to open, on any device')
    .option('--read-only', 'a sign-in that can change nothing')
    .option('--json', 'print who you are as JSON')
    .action(async (address, options) =>
      (await import('./commands/login.ts')).login(await open(), address, options),
    )
  examples(login, ['kenning login', 'kenning login https://kenning.example.org --no-browser'])
  program
    .command('logout')
    .argument('[address]', 'of the service (default: where you are signed in)')
    .summary('sign out, here and at the service')
    .option('--all', 'from every service')
    .action(async (address, options) =>
      (await import('./commands/logout.ts')).logout(await open(), address, options),
    )
  served(program.command('whoami').summary('show who you are, and where')).action(async (options: Common) =>
    (await import('./commands/whoami.ts')).whoami(await open(), options),
  )
  const workspaces = program
    .command('workspaces')
    .enablePositionalOptions()
    .summary('list, create, rename and delete workspaces')
    .description('Lists your workspaces.')
  served(workspaces).action(async (options: Common) =>
    (await import('./commands/workspaces.ts')).listWorkspaces(await open(), options),
  )
  served(
    workspaces
      .command('create')
      .argument('<name>')
      .option('--description <text>', 'what it is for')
      .summary('create a workspace'),
  ).action(async (name, options) =>
    (await import('./commands/workspaces.ts')).createWorkspace(await open(), name, options),
  )
  served(
    workspaces.command('rename').argument('<workspace>').argument('<name>').summary('give it another name'),
  ).action(async (wanted, name, options) =>
    (await import('./commands/workspaces.ts')).renameWorkspace(await open(), wanted, name, options),
  )
  served(
    workspaces
      .command('delete')
      .argument('<workspace>')
      .option('-y, --yes', 'do not ask')
      .summary('delete a workspace with everything in it, for everyone'),
  ).action(async (wanted, options) =>
    (await import('./commands/workspaces.ts')).deleteWorkspace(await open(), wanted, options),
  )
}

/** Run by main.ts before this tree is loaded; here they have their place in help, completion and "Did you mean". */
const addOperators: Add = (program) => {
  const operators: [name: string, usage: string, summary: string, more?: string][] = [
    ['serve', '', 'start the service; settings come from the environment, see .env.example'],
    [
      'read',
      'FILE… [--markdown | --json]  or  DOCUMENT --workspace NAME',
      'print the text of files, or a document of a workspace',
    ],
    ['eval', 'DIR [options]', 'measure search on your own questions, see docs/evaluation.md'],
    ['doctor', '[--json]', 'check this machine and the settings'],
    ['reset-password', 'EMAIL', 'print a link to set a new password for an account'],
    ['version', '', 'print the version'],
  ]
  for (const [name, usage, summary] of operators)
    program
      .command(name)
      .usage(usage)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
}
