// The command tree: names, arguments, options and help. The code of a command is imported when it is called.

import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { MODEL_PARTS, PRESETS } from '../contract/model-presets.ts'
import type { Member } from '../contract/people.ts'
import type { OnConflict as OnConflictChoice } from '../contract/resources.ts'
import type { CommonOptions, Context } from './context.ts'
import { HOSTS } from './hosts/names.ts'

interface ProgramInputs {
  version: string
  streams: { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }
  open: () => Promise<Context>
}

// The values of the contract's OnConflict. Its schema would load zod before any help is printed.
const CONFLICT_CHOICES = ['replace', 'keep_both', 'fail'] as const satisfies OnConflictChoice[]
const ROLES = ['owner', 'editor', 'viewer'] as const satisfies Member['role'][]
// Only servers whose URL is complete: a part to fill in, such as NAME, is in capital letters.
const PROVIDERS = [
  ...new Set(
    Object.values(PRESETS)
      .flat()
      .filter(({ url }) => /^[^A-Z]+$/.test(url))
      .map(({ id }) => id),
  ),
]

const EXIT_CODES = `
Exit codes: 0 done, 1 failed, 2 wrong use, 3 not signed in, 4 not found, 130 interrupted.
Documentation: docs/command-line.md`

export function buildProgram(inputs: ProgramInputs): Command {
  const program = new Command('kenning')
    .description('Documents in; search, a knowledge graph and answers with citations out.')
    .version(inputs.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => inputs.streams.stdout.write(text),
      writeErr: (text) => inputs.streams.stderr.write(text),
    })
    .showHelpAfterError('(kenning help shows all commands)')
    .addHelpText('after', EXIT_CODES)
  program.commandsGroup('Ask and search:')
  addReading(program, inputs)
  program.commandsGroup('Documents:')
  addDocuments(program, inputs)
  program.commandsGroup('Who and where:')
  addAccess(program, inputs)
  addPeople(program, inputs)
  addModels(program, inputs)
  addSpending(program, inputs)
  addHealth(program, inputs)
  program.commandsGroup('Your tools:')
  addShell(program, inputs)
  program.commandsGroup('Run a service:')
  addOperators(program, inputs)
  return program
}

/** Options of commands that require the password. */
const withAccountOptions = (command: Command): Command =>
  withServiceOptions(command)
    .option('--email <address>', 'of your account (default: who signed in)')
    .option('--password-stdin', 'read your password from standard input')

type AddCommands = (program: Command, inputs: ProgramInputs) => void

/** Options of every command that talks to a service. */
const withServiceOptions = (command: Command): Command =>
  command
    .option('--server <address>', 'the service (default: KENNING_SERVER, or where you signed in)')
    .option('--token <token>', 'a token or API key (better in KENNING_TOKEN)')
    .option('--json', "print the API's objects as JSON")

const withWorkspaceOptions = (command: Command): Command =>
  withServiceOptions(
    command.option('-w, --workspace <name>', 'name or id of the workspace; not needed if you have only one'),
  )

const examples = (command: Command, lines: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`)

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}

const addReading: AddCommands = (program, { open }) => {
  const ask = program
    .command('ask')
    .argument('[folder]', 'a folder or file on this machine, which needs no service')
    .argument('[question]', 'without it you are prompted, and can ask further questions')
    .summary('answer a question from the documents, with citations')
    .description('Answers a question from the documents of a workspace, or of a folder on this machine.')
    .option('-c, --continue', 'continue your last conversation, of the workspace if you name one')
    .option('--thread <id>', 'continue this conversation')
  withWorkspaceOptions(ask).action(async (first, second, options) =>
    (await import('./commands/ask.ts')).ask(await open(), first, second, options),
  )
  examples(ask, [
    'kenning ask "When does the lease end?"',
    'kenning ask --continue "And who signed it?"',
    'kenning ask ./contracts "Which contracts can be ended within a month?"',
    'kenning ask --json "Who supplies the sensors?" | jq -r .answer',
  ])
  addThreads(program, open)
  const check = program
    .command('check')
    .argument('<file>', 'a text or Markdown file; - for standard input')
    .summary('check each sentence of a text against the documents')
    .description(
      'Says of each sentence of a text whether the documents support or contradict it, with the passages.',
    )
  withWorkspaceOptions(check).action(async (file, options) =>
    (await import('./commands/check.ts')).check(await open(), file, options),
  )
  examples(check, ['kenning check draft.md --workspace Legal', 'pbpaste | kenning check -'])
  const search = program
    .command('search')
    .argument('<query...>')
    .summary('find passages')
    .description('Finds the passages that answer a query, best first.')
    .option('-n, --limit <number>', 'most passages, up to 20', positiveInteger, 10)
    .option('--scope <name>', 'only in this part of the workspace, such as kind:pdf or folder:Contracts')
  withWorkspaceOptions(search).action(async (words: string[], options) =>
    (await import('./commands/search.ts')).search(await open(), words.join(' '), options),
  )
  examples(search, [
    'kenning search notice period',
    `kenning search '"written notice"' --scope folder:Contracts -n 3`,
  ])
  const graph = program
    .command('graph')
    .argument('[name]', 'of a person, an organization, a place … or its id; without it the most mentioned')
    .summary('show who and what is connected')
    .option('--type <type>', 'list those of a type, such as person')
    .option('--depth <steps>', 'how far to look: 1 or 2', positiveInteger, 1)
    .option('--evidence', 'print the passages instead')
    .option('--to <name>', 'show how it is connected to another one, by name or id')
    .option('-n, --limit <number>', 'most lines', positiveInteger, 25)
  withWorkspaceOptions(graph).action(async (name, options) =>
    (await import('./commands/graph.ts')).graph(await open(), name, options),
  )
  examples(graph, [
    'kenning graph',
    'kenning graph "Brightwater Sensors"',
    'kenning graph Kiel --evidence',
    'kenning graph Kiel --to "Brightwater Sensors"',
  ])
  const themes = program
    .command('themes')
    .summary('show what a workspace is about')
    .option('-n, --limit <number>', 'most names', positiveInteger, 15)
  withWorkspaceOptions(themes).action(async (options) =>
    (await import('./commands/graph.ts')).themes(await open(), options),
  )
}

const addDocuments: AddCommands = (program, { open }) => {
  const upload = program
    .command('upload')
    .argument('<place...>', 'files, folders, patterns such as "**/*.pdf", or - for standard input')
    .summary('upload files and folders')
    .description('Uploads files and folders, and waits until they can be found. Folders are kept.')
    .option('--into <folder>', 'put everything into this folder of the workspace')
    .option('--include <pattern...>', 'only these files of folders')
    .option('--exclude <pattern...>', 'not these')
    .option('--hidden', 'also files and folders whose name begins with a dot')
    .option('--name <path>', 'name of the content of standard input, such as notes.md')
    .addOption(
      new Option(
        '--on-conflict <what>',
        'when a document has the name (default: a revision replaces it)',
      ).choices(CONFLICT_CHOICES),
    )
    .option('--create', 'make the workspace if there is none of that name')
    .option('--no-wait', 'do not wait until they can be found')
  withWorkspaceOptions(upload).action(async (locations: string[], options) =>
    (await import('./commands/upload.ts')).upload(await open(), locations, options),
  )
  examples(upload, [
    'kenning upload contracts minutes.docx',
    'kenning upload --include "*.pdf" --into Archive ~/Documents',
    'pdftotext scan.pdf - | kenning upload - --name scan.txt',
  ])
  addSync(program, open)
  addDocumentsCommand(program, open)
  addTrashCommand(program, open)
  const jobs = program
    .command('jobs')
    .argument('[id]', 'one job, with its files')
    .summary('show what is being read')
    .option('-n, --limit <number>', 'most jobs', positiveInteger, 20)
    .option('--watch', 'wait until its files can be found')
    .option('--cancel', 'cancel what cannot be found yet')
  withWorkspaceOptions(jobs).action(async (id, options) =>
    (await import('./commands/jobs.ts')).jobs(await open(), id, options),
  )
}

function addSync(program: Command, open: ProgramInputs['open']): void {
  const sync = program
    .command('sync')
    .argument(
      '<source>',
      'a folder, a git address, a sitemap or page, @FILE of addresses, s3://…, rclone:remote:path',
    )
    .summary('keep a workspace in step with a folder, a repository, web pages …')
    .description(
      'Sends what is new or changed, moves what was moved, and deletes what is gone, if the sync itself had put it there.',
    )
    .option('--dry-run', 'only show what it would do')
    .option('--watch', 'keep running, and sync whenever something changes')
    .option('--every <time>', 'keep running, and sync every 10m, 1h …')
    .option('--into <folder>', 'put everything into this folder of the workspace')
    .option('--include <pattern...>', 'only these files')
    .option('--exclude <pattern...>', 'not these')
    .option('--hidden', 'also files and folders whose name begins with a dot')
    .option('--create', 'make the workspace if there is none of that name')
    .option('--branch <name>', 'of a git repository')
    .option('--allow-private', 'web pages may come from addresses inside your network')
    .option('--retry', 'send files again that could not be read')
    .option('--allow-empty', 'if the source is empty, delete everything that came from it')
    .option('--adopt', 'take over what you uploaded yourself: the same files under the same names')
    .option('--name <name>', 'the name of the sync, the same on every machine')
  withWorkspaceOptions(sync).action(async (source, options) =>
    (await import('./commands/sync.ts')).sync(await open(), source, options),
  )
  examples(sync, [
    'kenning sync ~/Contracts --workspace Legal --dry-run',
    'kenning sync ~/Contracts --workspace Legal --watch',
    'kenning sync https://github.com/example/handbook --include "docs/**" --every 1h',
    'kenning sync https://example.org/sitemap.xml --workspace Website',
    'kenning sync rclone:drive:Reports --workspace Reports',
  ])
}

function addThreads(program: Command, open: ProgramInputs['open']): void {
  const commands = () => import('./commands/threads.ts')
  const threads = program
    .command('threads')
    .enablePositionalOptions()
    .summary('list and export your conversations')
    .description('Lists your conversations in a workspace, the newest first.')
  withWorkspaceOptions(threads).action(async (options) =>
    (await commands()).listThreads(await open(), options),
  )
  withWorkspaceOptions(
    threads
      .command('export')
      .argument('<thread>', 'its id')
      .argument('[file]', 'ends with .md or .docx; without it Markdown on the standard output')
      .summary('write a conversation with its numbered sources to a file'),
  ).action(async (thread, file, options) =>
    (await commands()).exportThread(await open(), thread, file, options),
  )
  examples(threads, [
    'kenning threads --workspace Legal',
    'kenning threads export 0197c6a2-8f4e-7d21-b5a3-2d1c9e4f6a70 answers.docx',
  ])
}

function addDocumentsCommand(program: Command, open: ProgramInputs['open']): void {
  const commands = () => import('./commands/documents.ts')
  const documents = program
    .command('documents')
    .enablePositionalOptions()
    .argument('[title]', 'a part of their title')
    .summary('list, download, move and delete documents')
    .description('Lists documents by title.')
  withWorkspaceOptions(documents).action(async (title, options) =>
    (await commands()).listDocuments(await open(), title, options),
  )
  withWorkspaceOptions(
    documents
      .command('download')
      .argument('<document>', 'title or id')
      .option('-o, --output <file>', 'output file; - for standard output')
      .summary('download the file as it was uploaded'),
  ).action(async (document, options) => (await commands()).downloadDocument(await open(), document, options))
  withWorkspaceOptions(
    documents
      .command('delete')
      .argument('<document...>', 'titles or ids')
      .option('-y, --yes', 'do not ask')
      .summary('delete documents for good'),
  ).action(async (idsOrTitles: string[], options) =>
    (await commands()).deleteDocuments(await open(), idsOrTitles, options),
  )
  withWorkspaceOptions(
    documents
      .command('trash')
      .argument('<document...>', 'titles or ids')
      .summary('move documents to the trash, from which they can be restored for 30 days'),
  ).action(async (idsOrTitles: string[], options) =>
    (await commands()).trashDocuments(await open(), idsOrTitles, options),
  )
  withWorkspaceOptions(
    documents
      .command('move')
      .argument('[document...]', 'titles or ids')
      .option('--folder <folder>', 'a folder with all that is below it, in place of documents')
      .requiredOption(
        '--to <folder>',
        'the folder that gets them, or the new path of the folder; "" for the root',
      )
      .summary('move documents or a folder to another folder'),
  ).action(async (idsOrTitles: string[], options) =>
    (await commands()).moveDocuments(await open(), idsOrTitles, options),
  )
  examples(documents, [
    'kenning documents lease',
    'kenning documents move "Annual report" --to Archive/2026',
    'kenning documents download "Annual report" -o report.pdf',
    'kenning documents --json | jq -r ".data[].title"',
  ])
}

function addTrashCommand(program: Command, open: ProgramInputs['open']): void {
  const commands = () => import('./commands/trash.ts')
  const trash = program
    .command('trash')
    .enablePositionalOptions()
    .summary('what is in the trash, and bringing it back')
    .description('Lists the documents in the trash of a workspace.')
  withWorkspaceOptions(trash).action(async (options) => (await commands()).listTrash(await open(), options))
  withServiceOptions(
    trash.command('workspaces').summary('list the workspaces in the trash that you owned'),
  ).action(async (options: CommonOptions) => (await commands()).listTrashedWorkspaces(await open(), options))
  withWorkspaceOptions(
    trash.command('restore').argument('<document...>', 'titles, files or ids').summary('restore documents'),
  ).action(async (idsOrTitles: string[], options) =>
    (await commands()).restoreDocuments(await open(), idsOrTitles, options),
  )
  withWorkspaceOptions(
    trash
      .command('delete')
      .argument('<document...>', 'titles, files or ids')
      .option('-y, --yes', 'do not ask')
      .summary('delete documents in the trash for good'),
  ).action(async (idsOrTitles: string[], options) =>
    (await commands()).deleteTrashed(await open(), idsOrTitles, options),
  )
  examples(trash, ['kenning documents trash "Annual report"', 'kenning trash restore "Annual report"'])
}

const addAccess: AddCommands = (program, { open }) => {
  const login = program
    .command('login')
    .argument('[address]', 'of the service (default: the last one, or http://127.0.0.1:8484)')
    .summary('sign in with your browser')
    .option('--no-browser', 'only print the address to open, on any device')
    .option('--read-only', 'a read-only sign-in')
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
  withServiceOptions(program.command('whoami').summary('show who you are, and where')).action(
    async (options: CommonOptions) => (await import('./commands/whoami.ts')).whoami(await open(), options),
  )
  const token = program
    .command('token')
    .summary('print the access token of your sign-in, for curl and scripts')
    .option('--server <address>', 'the service (default: KENNING_SERVER, or where you signed in)')
    .action(async (options) => (await import('./commands/token.ts')).printToken(await open(), options))
  examples(token, [
    'curl -H "authorization: Bearer $(kenning token)" https://kenning.example.org/v1/workspaces',
  ])
  const workspaces = program
    .command('workspaces')
    .enablePositionalOptions()
    .summary('list, create, rename and delete workspaces')
    .description('Lists your workspaces.')
  withServiceOptions(workspaces).action(async (options: CommonOptions) =>
    (await import('./commands/workspaces.ts')).listWorkspaces(await open(), options),
  )
  withServiceOptions(
    workspaces
      .command('create')
      .argument('<name>')
      .option('--description <text>', 'what it is for')
      .summary('create a workspace'),
  ).action(async (name, options) =>
    (await import('./commands/workspaces.ts')).createWorkspace(await open(), name, options),
  )
  withServiceOptions(
    workspaces.command('rename').argument('<workspace>').argument('<name>').summary('give it another name'),
  ).action(async (workspace, name, options) =>
    (await import('./commands/workspaces.ts')).renameWorkspace(await open(), workspace, name, options),
  )
  withServiceOptions(
    workspaces
      .command('delete')
      .argument('<workspace>')
      .option('-y, --yes', 'do not ask')
      .summary('delete a workspace with everything in it, for everyone and for good'),
  ).action(async (workspace, options) =>
    (await import('./commands/workspaces.ts')).deleteWorkspace(await open(), workspace, options),
  )
  withServiceOptions(
    workspaces
      .command('trash')
      .argument('<workspace>')
      .summary('move a workspace to the trash, from which its owners can restore it for 30 days'),
  ).action(async (workspace, options) =>
    (await import('./commands/trash.ts')).trashWorkspace(await open(), workspace, options),
  )
  withServiceOptions(
    workspaces.command('restore').argument('<workspace>').summary('restore a workspace from the trash'),
  ).action(async (workspace, options) =>
    (await import('./commands/trash.ts')).restoreWorkspace(await open(), workspace, options),
  )
}

function addMoving(program: Command, open: ProgramInputs['open']): void {
  const exportCommand = program
    .command('export')
    .argument('<workspace>', 'name or id')
    .argument('<file>', 'output file, such as legal.zip; - for standard output')
    .summary('write a workspace into one file')
    .description(
      'Writes a workspace into one file: documents with their versions, corrections of the graph, your conversations.',
    )
  withServiceOptions(exportCommand).action(async (workspace, file, options) =>
    (await import('./commands/moving.ts')).exportWorkspace(await open(), workspace, file, options),
  )
  examples(exportCommand, ['kenning export Legal legal.zip'])
  const importCommand = program
    .command('import')
    .argument('<file>', 'a file that kenning export wrote')
    .summary('make a workspace from such a file')
    .description('Makes a workspace from an exported one, and waits until its documents can be found.')
    .option('--new-ids', 'give the copy new ids; only administrators may keep the old ones')
    .option('--name <name>', 'instead of its name')
    .option('--no-wait', 'do not wait until its documents can be found')
  withServiceOptions(importCommand).action(async (file, options) =>
    (await import('./commands/moving.ts')).importWorkspace(await open(), file, options),
  )
  examples(importCommand, [
    'kenning import legal.zip --server https://kenning.example.org',
    'kenning import legal.zip --new-ids --name "Legal, a copy"',
  ])
}

const addPeople: AddCommands = (program, { open }) => {
  addMoving(program, open)
  const memberCommands = () => import('./commands/members.ts')
  const members = program
    .command('members')
    .enablePositionalOptions()
    .summary('list, add and remove members of a workspace')
    .description('Lists the members of a workspace, for its owners.')
  withWorkspaceOptions(members).action(async (options) =>
    (await memberCommands()).listMembers(await open(), options),
  )
  withWorkspaceOptions(
    members
      .command('set')
      .argument('<email>')
      .addArgument(new Argument('<role>', 'what they may do').choices(ROLES))
      .summary('add somebody, or change what they may do'),
  ).action(async (email, role, options) =>
    (await memberCommands()).setMember(await open(), email, role, options),
  )
  withWorkspaceOptions(
    members.command('remove').argument('<email>', 'or user id').summary('remove somebody'),
  ).action(async (email, options) => (await memberCommands()).removeMember(await open(), email, options))

  const keyCommands = () => import('./commands/keys.ts')
  const keys = program
    .command('keys')
    .enablePositionalOptions()
    .summary('list, create and revoke API keys')
    .description('Lists your API keys. Your password is asked for: no program may make keys in your name.')
  withAccountOptions(keys).action(async (options) => (await keyCommands()).listKeys(await open(), options))
  withAccountOptions(
    keys
      .command('create')
      .argument('<name>', 'what it is for')
      .option('-w, --workspace <name...>', 'what it can read')
      .option('--expires <day>', 'such as 2027-12-31')
      .summary('create a key that can read'),
  ).action(async (name, options) => (await keyCommands()).createKey(await open(), name, options))
  withAccountOptions(keys.command('revoke').argument('<key>', 'name or id').summary('revoke a key')).action(
    async (key, options) => (await keyCommands()).revokeKey(await open(), key, options),
  )
}

const addModels: AddCommands = (program, { open }) => {
  const modelCommands = () => import('./commands/models.ts')
  const withPart = (command: Command): Command =>
    withAccountOptions(command).addOption(
      new Option('--for <part>', 'what it does').choices(MODEL_PARTS).default('language'),
    )
  const withServer = (command: Command): Command =>
    withPart(command)
      .addOption(new Option('--provider <name>', 'a known server').choices(PROVIDERS))
      .option('--url <address>', 'the address of another server, such as http://gpu.example.org:8000/v1')
      .option('--key-file <file>', 'a file that holds its key')
  const models = program
    .command('models')
    .enablePositionalOptions()
    .summary('show, try and set the models, for administrators')
    .description(
      'Shows the models that answer questions, make embeddings, order results and recognise text. Your password is asked for: no program decides where questions are sent.',
    )
  withAccountOptions(models).action(async (options) =>
    (await modelCommands()).showModels(await open(), options),
  )
  withServer(models.command('list').summary("list a server's models")).action(async (options) =>
    (await modelCommands()).listModels(await open(), options),
  )
  const set = withServer(
    models.command('set').argument('[model]').summary('choose the model; it serves at once'),
  )
    .option('--context <tokens>', 'tokens that it takes with its answer (default: the server is asked)')
    .option('--unchecked', 'also if the server does not answer with it now')
    .option('-y, --yes', 'give all passages new vectors without asking')
    .action(async (model, options) => (await modelCommands()).setModel(await open(), model, options))
  withServer(
    models.command('try').argument('[model]').summary('say what works with a model and what does not'),
  )
    .option('--context <tokens>', 'tokens that it takes with its answer (default: the server is asked)')
    .action(async (model, options) => (await modelCommands()).tryModel(await open(), model, options))
  withPart(models.command('clear').summary('remove the model'))
    .option('-y, --yes', 'give all passages new vectors without asking')
    .action(async (options) => (await modelCommands()).clearModel(await open(), options))
  withAccountOptions(
    models
      .command('budget')
      .argument('<tokens>', 'tokens of the language model for the graph of a workspace; 0: none')
      .summary('let the language model read documents for the graph'),
  ).action(async (tokens, options) => (await modelCommands()).setBudget(await open(), tokens, options))
  examples(set, [
    'kenning models set qwen3 --provider ollama',
    'kenning models set gpt-4.1-mini --provider openai --key-file key.txt',
    'kenning models set bge-m3 --provider ollama --for embeddings',
  ])
}

const addSpending: AddCommands = (program, { open }) => {
  const spendingCommands = () => import('./commands/spending.ts')
  const spending = program
    .command('spending')
    .enablePositionalOptions()
    .summary('show and limit what language models take, for administrators')
    .description(
      'Shows what the language models took in a month, by person and model, and what it cost. Your password is asked for.',
    )
  withAccountOptions(spending)
    .option('--month <month>', 'such as 2026-11 (default: this month)')
    .action(async (options) => (await spendingCommands()).showSpending(await open(), options))
  const limit = withAccountOptions(
    spending.command('limit').summary('set limits of a month; those that are not named stay'),
  )
    .option('--service-tokens <number>', 'for the whole service; none removes a limit')
    .option('--service-cost <amount>', 'the same in money')
    .option('--person-tokens <number>', 'for each person')
    .option('--person-cost <amount>', 'the same in money')
    .option(
      '--person <email>',
      'the limits of this person alone, in place of those for each person; without amounts: as for each person',
    )
    .option('--currency <letters>', 'of all prices and costs, such as EUR')
    .action(async (options) => (await spendingCommands()).setLimits(await open(), options))
  const price = withAccountOptions(
    spending
      .command('price')
      .argument('<model>')
      .summary('set what a million tokens cost; nothing removes it'),
  )
    .option('--prompt <amount>', 'for those that the model reads')
    .option('--answer <amount>', 'for those that it writes')
    .action(async (model, options) => (await spendingCommands()).setPrice(await open(), model, options))
  examples(limit, [
    'kenning spending limit --service-cost 200 --person-cost 20 --currency EUR',
    'kenning spending limit --person ann@example.org --person-cost 60',
  ])
  examples(price, ['kenning spending price gpt-4.1-mini --prompt 0.4 --answer 1.6'])
}

const addHealth: AddCommands = (program, { open }) => {
  const healthCommands = () => import('./commands/health.ts')
  const health = program
    .command('health')
    .enablePositionalOptions()
    .summary('show how the service is doing, and make a backup, for administrators')
    .description('Shows how each part of the service is doing, and what to do. Your password is asked for.')
  withAccountOptions(health).action(async (options) =>
    (await healthCommands()).showHealth(await open(), options),
  )
  withAccountOptions(
    health.command('failed').summary('list the files of all workspaces that could not be read'),
  ).action(async (options) => (await healthCommands()).showFailedFiles(await open(), options))
  withAccountOptions(health.command('backups').summary('list the backups')).action(async (options) =>
    (await healthCommands()).showBackups(await open(), options),
  )
  withAccountOptions(
    health.command('backup').summary('let a worker make a backup in its KENNING_BACKUP_DIR'),
  ).action(async (options) => (await healthCommands()).beginBackup(await open(), options))
}

const addShell: AddCommands = (program, { open, streams }) => {
  const mcp = program
    .command('mcp')
    .argument('[folder]', 'a folder or file on this machine, which needs no service')
    .summary('be an MCP server for an assistant on this machine')
    .description(
      'Speaks the Model Context Protocol on standard input and output, for assistants that start their servers: to a service with your sign-in, or to a folder.',
    )
    .option('--server <address>', 'the service (default: KENNING_SERVER, or where you signed in)')
    .option('--token <token>', 'a token or API key (better in KENNING_TOKEN)')
    .action(async (folder, options) => (await import('./commands/mcp.ts')).mcp(await open(), folder, options))
  examples(mcp, ['kenning mcp', 'kenning mcp ~/Contracts'])
  const connect = program
    .command('connect')
    .addArgument(new Argument('<host>', 'the assistant').choices(HOSTS))
    .summary('add Kenning to Claude, Cursor, VS Code, Zed or Codex')
    .description('Adds Kenning to the MCP servers of an assistant, after showing what changes.')
    .option('--server <address>', 'the service (default: KENNING_SERVER, or where you signed in)')
    .option('--name <name>', 'what it is called there', 'kenning')
    .option('--folder <folder>', 'a folder of this machine instead of a service (claude-desktop, zed)')
    .option('--project', 'in the current folder, for everybody who works in it')
    .option('--dry-run', 'only show the change')
    .option('--print', 'only print what belongs into the file of the assistant')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print what was done as JSON')
    .action(async (host, options) =>
      (await import('./commands/connect.ts')).connect(await open(), host, options),
    )
  examples(connect, [
    'kenning connect claude-code',
    'kenning connect vscode --project --dry-run',
    'kenning connect claude-desktop --folder ~/Contracts',
  ])
  const completion = program
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .summary('print completions for your shell')
    .action(async (shell) => {
      const { completionScript } = await import('./commands/completion.ts')
      streams.stdout.write(completionScript(program, shell))
    })
  examples(completion, [
    'source <(kenning completion bash)',
    'kenning completion fish > ~/.config/fish/completions/kenning.fish',
  ])
}

/** main.ts runs these commands before this tree is loaded. The tree contains them for help, completion and "Did you mean". */
const addOperators: AddCommands = (program, { open }) => {
  const add = (name: string, usage: string, summary: string): Command =>
    program
      .command(name)
      .usage(usage)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
  add('serve', '', 'start the service; settings come from the environment, see .env.example')
  // With an option of a workspace, main.ts passes `read` to this tree, which prints a document of the workspace.
  withWorkspaceOptions(
    add('read', 'FILE… | DOCUMENT --workspace NAME', 'print the text of files, or of a document').argument(
      '<document>',
    ),
  ).action(async (document, options) =>
    (await import('./commands/documents.ts')).readDocument(await open(), document, options),
  )
  add('eval', 'DIR [options]', 'measure search on your own questions, see docs/evaluation.md')
  add('doctor', '[--json]', 'check this machine and the settings')
  add('backup', 'FOLDER', 'write a backup of everything, while the service runs')
  add('restore', 'FOLDER', 'fill an empty database from a backup, embedded or PostgreSQL')
  add('verify', 'FOLDER', 'read a backup to its end to check that it is complete')
  add('distribute', '[--yes]', 'spread the workspaces of a PostgreSQL with Citus over its workers')
  add('reset-password', 'EMAIL', 'print a link to set a new password for an account')
  add('reset-second-factor', 'EMAIL', 'remove the second factor of an account')
  add('version', '', 'print the version')
}
