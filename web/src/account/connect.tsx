// How to connect a program: one tab for each, with the text to copy.

import type { ReactNode } from 'react'
import { rich, t } from '../language/text.tsx'
import { CopyBlock, CopyLine } from '../parts/copy.tsx'
import { type Tab, Tabs } from '../parts/tabs.tsx'
import { SITE } from '../site.ts'
import { claudeCode, curl, cursor, isPublic, type Server, typescript, vsCode } from './snippets.ts'

interface Props {
  server: Server
  /** The new key. Without one, the snippet shows where it belongs. */
  secret: string | undefined
  workspace: string | undefined
}

/** The instructions for every program that can use a key. */
export function Connect({ server, secret, workspace = 'WORKSPACE_ID' }: Props) {
  const key = secret ?? 'YOUR_KEY'
  return (
    <Tabs
      label={t('How to connect')}
      tabs={[
        ...assistants(server, key),
        {
          name: 'curl',
          content: (
            <>
              <Step>{t('Search a workspace from a terminal:')}</Step>
              <CopyBlock text={curl(server, key, workspace)} label={t('command for curl')} />
              <Reference />
            </>
          ),
        },
        {
          name: 'TypeScript',
          content: (
            <>
              <Step>{t('Ask a question from a program. It needs no package:')}</Step>
              <CopyBlock text={typescript(server, key, workspace)} label={t('TypeScript program')} />
              <Reference />
            </>
          ),
        },
      ]}
    />
  )
}

/** The instructions for assistants that ask their user to sign in. */
export function ConnectAssistant({ server }: { server: Server }) {
  return (
    <Tabs
      label={t('How to connect')}
      tabs={[
        ...assistants(server, undefined),
        {
          name: t('Others'),
          content: (
            <>
              <Step>{t('Give another MCP client this address. It sends you here to sign in.')}</Step>
              <CopyLine text={server.mcp} label={t('Copy the address')} />
            </>
          ),
        },
      ]}
    />
  )
}

function assistants(server: Server, key: string | undefined): Tab[] {
  return [
    {
      name: 'Claude',
      content: (
        <>
          <Step>
            {t('In Claude, open Settings › Connectors › Add custom connector, and enter this address:')}
          </Step>
          <CopyLine text={server.mcp} label={t('Copy the address for Claude')} />
          <Hosted server={server} who="Claude" />
          <Step>
            {key
              ? t('In Claude Code, with a key:')
              : t('In Claude Code, where /mcp then asks you to sign in:')}
          </Step>
          <CopyBlock text={claudeCode(server, key)} label={t('command for Claude Code')} />
        </>
      ),
    },
    {
      name: 'ChatGPT',
      content: (
        <>
          <Step>
            {t(
              'In ChatGPT, open Settings › Connectors › Create (switch on developer mode under Advanced first), and enter this address with OAuth:',
            )}
          </Step>
          <CopyLine text={server.mcp} label={t('Copy the address for ChatGPT')} />
          <Hosted server={server} who="ChatGPT" />
        </>
      ),
    },
    {
      name: 'Cursor',
      content: (
        <>
          <Step>
            {rich('Put this into {file}, or {projectFile} of a project.', {
              file: <code>~/.cursor/mcp.json</code>,
              projectFile: <code>.cursor/mcp.json</code>,
            })}{' '}
            {signInText('Cursor', key)}
          </Step>
          <CopyBlock text={cursor(server, key)} label={t('settings for Cursor')} />
        </>
      ),
    },
    {
      name: 'VS Code',
      content: (
        <>
          <Step>
            {rich('Put this into {file} of a project, or run “MCP: Add Server”.', {
              file: <code>.vscode/mcp.json</code>,
            })}{' '}
            {signInText('VS Code', key)}
          </Step>
          <CopyBlock text={vsCode(server, key)} label={t('settings for VS Code')} />
        </>
      ),
    },
  ]
}

const signInText = (program: string, key: string | undefined): string =>
  key
    ? t('Without the headers, {program} asks you to sign in instead.', { program })
    : t('{program} asks you to sign in.', { program })

const Step = ({ children }: { children: ReactNode }) => (
  <p className="mt-4 mb-2 text-soft first:mt-0">{children}</p>
)

const Reference = () => (
  <p className="mt-3 text-sm text-soft">
    {rich('Every request is described in the {reference}.', {
      reference: (
        <a href={`${SITE}/docs`} className="text-accent underline">
          {t('API reference')}
        </a>
      ),
    })}
  </p>
)

/** Hosted assistants sign in by OAuth, from their own servers. */
function Hosted({ server, who }: { server: Server; who: string }) {
  return (
    <>
      <p className="mt-2 text-sm text-soft">
        {t(
          'No key is needed: {assistant} sends you here to sign in, and you choose what it may do. It is then listed under Connections.',
          { assistant: who },
        )}
      </p>
      {!isPublic(server.mcp) && (
        <p className="mt-3 rounded-md bg-mark/40 px-3 py-2 text-sm">
          {rich(
            '{assistant} connects from the internet and cannot reach this address. It needs a public name with https on port 443: set {setting}.',
            { assistant: who, setting: <code>KENNING_BASE_URL</code> },
          )}
        </p>
      )}
    </>
  )
}
