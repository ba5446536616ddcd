// `kenning members` lists, adds and removes the members of a workspace. Only its owners may use it.

import type { MemberUpdate } from '../../contract/people.ts'
import { type Context, findWorkspace, listAll, type WorkspaceOptions, wholePage } from '../context.ts'
import { nothingFound } from '../failure.ts'
import { safe } from '../terminal.ts'

export async function listMembers(context: Context, options: WorkspaceOptions): Promise<void> {
  const { client } = await context.service(options)
  const { id } = await findWorkspace(context, client, options.workspace)
  const members = await listAll(
    client.all('listMembers', { workspace_id: id, limit: 200 }, { signal: context.signal }),
  )
  if (options.json) {
    context.printJson(wholePage(members))
    return
  }
  context.terminal.table(
    ['e-mail', 'role', 'id'],
    members.map(({ email, role, user_id }) => [email, role, user_id]),
  )
}

export async function setMember(
  context: Context,
  email: string,
  role: MemberUpdate['role'],
  options: WorkspaceOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const { id, name } = await findWorkspace(context, client, options.workspace)
  const member = await client.putMember({ workspace_id: id, email, role })
  if (options.json) context.printJson(member)
  else context.terminal.print(`${safe(member.email)} is ${member.role} of “${safe(name)}”.`)
}

export async function removeMember(
  context: Context,
  email: string,
  options: WorkspaceOptions,
): Promise<void> {
  const { client } = await context.service(options)
  const { id, name } = await findWorkspace(context, client, options.workspace)
  const members = await listAll(client.all('listMembers', { workspace_id: id, limit: 200 }))
  const member = members.find(
    (member) => member.user_id === email || member.email.toLowerCase() === email.toLowerCase(),
  )
  if (!member) throw nothingFound(`${email} is not a member of “${safe(name)}”.`)
  await client.deleteMember({ workspace_id: id, user_id: member.user_id })
  context.terminal.note(`${safe(member.email)} is no longer a member of “${safe(name)}”.`)
}
