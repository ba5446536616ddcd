// `kenning completion`: a completion script for the shell, made from the command tree.

import type { Command } from 'commander'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

interface Node {
  /** The words of the command: `workspaces create`. */
  path: string
  words: { word: string; description: string }[]
}

export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program, '')
  return { bash, zsh, fish }[shell](nodes)
}

function nodesOf(command: Command, path: string): Node[] {
  const subcommands = command.commands.filter((subcommand) => subcommand.name() !== 'help')
  const options = command.options.flatMap((option) =>
    option.long ? [{ word: option.long, description: option.description }] : [],
  )
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
  const words = [
    ...subcommands.map((subcommand) => ({
      word: subcommand.name(),
      description: subcommand.summary() || subcommand.description(),
    })),
    ...choices.map((word) => ({ word, description: '' })),
    ...options,
    { word: '--help', description: 'print help' },
  ]
  return [
    { path, words },
    ...subcommands.flatMap((subcommand) => nodesOf(subcommand, `${path} ${subcommand.name()}`.trim())),
  ]
}

const cases = (nodes: readonly Node[]): string =>
  nodes
    .map(({ path, words }) => `    '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`)
    .join('\n')

/** Finds the commands among the words so far, then lists the words that may follow, or files if no word fits. */
const bash = (nodes: readonly Node[]): string => `# kenning completion bash
_kenning() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${nodes.flatMap(({ path }) => (path ? [path] : [])).join(' | ')} " in
      *" \${path:+$path }$word "*) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases(nodes)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _kenning kenning
`

const zsh = (nodes: readonly Node[]): string => `#compdef kenning
# kenning completion zsh
autoload -U +X bashcompinit && bashcompinit
${bash(nodes)}`

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const fish = (nodes: readonly Node[]): string => {
  const lines = nodes.flatMap(({ path, words }) => {
    const steps = path ? path.split(' ') : []
    const condition =
      steps.length === 0
        ? '__fish_use_subcommand'
        : steps.map((step) => `__fish_seen_subcommand_from ${step}`).join('; and ')
    return words.map(({ word, description }) =>
      word.startsWith('--')
        ? `complete -c kenning -n ${quoted(condition)} -l ${word.slice(2)} -d ${quoted(description)}`
        : `complete -c kenning -n ${quoted(condition)} -f -a ${word} -d ${quoted(description)}`,
    )
  })
  return `# kenning completion fish\n${lines.join('\n')}\n`
}
