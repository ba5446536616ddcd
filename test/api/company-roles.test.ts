// What groups of the company give at a sign-in (docs/company-sign-in.md): roles and the right of an administrator, apart from what
// people gave.

import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/auth/caller.ts'
import type { User } from '../../src/contract/account.ts'
import type { CompanySignIn } from '../../src/ports/company/company.ts'
import { type Person, type TestApp, testApp } from '../support/app.ts'
import { companyServer, ORIGIN } from '../support/company.ts'
import { oidcProvider, type Provider } from '../support/oidc-provider.ts'
import { activityOf, makeAdmin, setStatus } from '../support/rows.sql.ts'

type At = Awaited<ReturnType<typeof companyServer>>

let app: TestApp
let provider: Provider
let admin: Person
let owner: Person
const servers: At[] = []
beforeAll(async () => {
  app = await testApp()
  provider = await oidcProvider()
  admin = await app.person()
  owner = await app.person()
  await makeAdmin(app.deps.db, admin.id)
})
afterEach(async () => {
  Object.assign(provider, { userinfo: {} })
  for (const at of servers.splice(0)) await at.close()
})
afterAll(async () => {
  await provider.close()
  await app.close()
})

async function serverWith(roles: CompanySignIn['roles'], more: Partial<CompanySignIn> = {}): Promise<At> {
  const at = await companyServer(app, provider, { roles, ...more })
  servers.push(at)
  return at
}

const person = (name: string, groups: unknown, more: object = {}) => ({
  sub: `sub-${name}`,
  email: `${name}@company.example`,
  email_verified: true,
  groups,
  ...more,
})
const inWorkspace = (group: string, workspace: string, role: Role) => ({ group, gives: { workspace, role } })
const adminBy = (group: string) => ({ group, gives: 'administrator' as const })

async function roleOf(workspaceId: string, accountId: string | undefined): Promise<Role | undefined> {
  const [row] = await app.deps.db.rows<{ role: Role }>(
    sql`SELECT role FROM member WHERE workspace_id = ${workspaceId} AND account_id = ${accountId ?? null}::uuid`,
  )
  return row?.role
}
async function idOf(name: string): Promise<string> {
  const [row] = await app.deps.db.rows<{ id: string }>(
    sql`SELECT id FROM account WHERE email = ${`${name}@company.example`}`,
  )
  return row?.id ?? ''
}
const warnings = ({ lines }: At) => lines.filter(({ level }) => level === 'warn')

describe('roles in workspaces', () => {
  test('come with the group, by id and by name, the strongest of several, and end with it', async () => {
    const [finance, board] = [
      await app.workspace(owner, 'Finance, Reports'),
      await app.workspace(owner, 'Board'),
    ]
    const at = await serverWith([
      inWorkspace('finance', 'Finance, Reports', 'viewer'),
      inWorkspace('leads', 'Finance, Reports', 'editor'),
      inWorkspace('leads', board.toUpperCase(), 'viewer'),
      inWorkspace('FINANCE', board, 'owner'),
    ])
    const roles = async () => [
      await roleOf(finance, await idOf('ada')),
      await roleOf(board, await idOf('ada')),
    ]
    await at.enter(person('ada', ['other']))
    expect(await roles()).toEqual([undefined, undefined])
    await at.enter(person('ada', ['leads', 'finance']))
    expect(await roles()).toEqual(['editor', 'viewer'])
    await at.enter(person('ada', ['finance']))
    expect(await roles()).toEqual(['viewer', undefined])
    await at.enter(person('ada', []))
    expect(await roles()).toEqual([undefined, undefined])
    const own = (await activityOf(app.deps.db, finance)).filter(({ action }) => action.startsWith('member_'))
    expect(own.map(({ action, actor_id, detail }) => [action, actor_id, detail])).toEqual([
      ['member_set', null, { role: 'editor', by: 'group' }],
      ['member_set', null, { role: 'viewer', by: 'group' }],
      ['member_removed', null, { by: 'group' }],
    ])
    expect(warnings(at)).toEqual([])
  })

  test('end when the setting ends', async () => {
    const workspaceId = await app.workspace(owner)
    await (await serverWith([inWorkspace('staff', workspaceId, 'editor')])).enter(
      person('setting', ['staff']),
    )
    expect(await roleOf(workspaceId, await idOf('setting'))).toBe('editor')
    await (await serverWith([])).enter(person('setting', ['staff']))
    expect(await roleOf(workspaceId, await idOf('setting'))).toBeUndefined()
  })

  test('that a person gave are never taken away or made weaker', async () => {
    const [weak, strong] = [await app.workspace(owner), await app.workspace(owner)]
    const at = await serverWith([
      inWorkspace('staff', weak, 'editor'),
      inWorkspace('staff', strong, 'viewer'),
    ])
    const { me } = await at.enter(person('hand', []))
    const member = { id: me?.id ?? '', email: me?.email ?? '' }
    await app.member(weak, member, 'viewer')
    await app.member(strong, member, 'editor')
    const roles = async () => [await roleOf(weak, member.id), await roleOf(strong, member.id)]
    await at.enter(person('hand', ['staff']))
    expect(await roles()).toEqual(['editor', 'editor'])
    await at.enter(person('hand', ['staff']))
    expect(await roles()).toEqual(['editor', 'editor'])
    await at.enter(person('hand', []))
    expect(await roles()).toEqual(['viewer', 'editor'])
  })

  test('that an owner changes hold at once, and are by hand from then on', async () => {
    const workspaceId = await app.workspace(owner)
    const token = await app.token(owner)
    const members = `/v1/workspaces/${workspaceId}/members`
    const at = await serverWith([inWorkspace('staff', workspaceId, 'editor')])
    const put = (role: Role) =>
      app.send('PUT', members, token, { body: { email: 'changed@company.example', role } })
    const { me } = await at.enter(person('changed', ['staff']))
    expect((await put('viewer')).status).toBe(200)
    expect(await roleOf(workspaceId, me?.id)).toBe('viewer')
    // The group gives its own again, and the person's is behind it.
    await at.enter(person('changed', ['staff']))
    expect(await roleOf(workspaceId, me?.id)).toBe('editor')
    await at.enter(person('changed', []))
    expect(await roleOf(workspaceId, me?.id)).toBe('viewer')
    // The same role that the group gives, given by a person, stays without the group.
    await at.enter(person('changed', ['staff']))
    expect((await put('editor')).status).toBe(200)
    await at.enter(person('changed', []))
    expect(await roleOf(workspaceId, me?.id)).toBe('editor')
    expect((await app.send('DELETE', `${members}/${me?.id}`, token)).status).toBe(204)
    expect(await roleOf(workspaceId, me?.id)).toBeUndefined()
    await at.enter(person('changed', ['staff']))
    expect(await roleOf(workspaceId, me?.id)).toBe('editor')
  })

  test('the last owner stays, and goes when there is another one', async () => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([inWorkspace('leads', workspaceId, 'owner')])
    const { me } = await at.enter(person('lead', ['leads']))
    await setStatus(app.deps.db, owner.id, 'suspended')
    await at.enter(person('lead', []))
    expect(await roleOf(workspaceId, me?.id)).toBe('owner')
    expect(warnings(at).at(-1)).toMatchObject({
      fields: { account: me?.id, workspace: workspaceId },
      message: expect.stringContaining('last owner'),
    })
    await setStatus(app.deps.db, owner.id, 'active')
    await at.enter(person('lead', []))
    expect(await roleOf(workspaceId, me?.id)).toBeUndefined()
  })

  test('a name that two workspaces have gives nothing new, keeps what it gave, and ends with the group', async () => {
    const real = await app.workspace(owner, 'Payroll')
    const at = await serverWith([inWorkspace('payroll', 'Payroll', 'viewer')])
    const first = (await at.enter(person('first', ['payroll']))).me?.id
    const leaver = (await at.enter(person('leaver', ['payroll']))).me?.id
    const like = await app.workspace(await app.person(), 'Payroll')
    const second = (await at.enter(person('second', ['payroll']))).me?.id
    await at.enter(person('first', ['payroll']))
    await at.enter(person('leaver', []))
    expect(await Promise.all([first, leaver, second].map((id) => roleOf(real, id)))).toEqual([
      'viewer',
      undefined,
      undefined,
    ])
    expect(await Promise.all([first, leaver, second].map((id) => roleOf(like, id)))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(warnings(at)[0]?.fields).toMatchObject({ workspace: 'Payroll', count: 2 })
    const nowhere = await serverWith([inWorkspace('payroll', 'Nowhere', 'viewer')])
    expect((await nowhere.enter(person('first', ['payroll']))).status).toBe(303)
    expect(warnings(nowhere)[0]?.fields).toMatchObject({ workspace: 'Nowhere', count: 0 })
  })

  test('ten sign-ins at once make one membership', async () => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([inWorkspace('staff', workspaceId, 'editor'), adminBy('staff')])
    provider.person = person('many', ['staff'])
    const answers = await Promise.all(Array.from({ length: 10 }, () => at.signIn()))
    expect(answers.map(({ answer }) => answer.statusCode)).toEqual(Array(10).fill(303))
    const acts = (await activityOf(app.deps.db, workspaceId)).filter(({ action }) => action === 'member_set')
    expect(acts).toHaveLength(1)
    await at.enter(person('many', []))
  })
})

describe('a workspace in the trash', () => {
  const trash = async (workspaceId: string) => {
    const token = await app.token(owner)
    expect((await app.send('PUT', `/v1/trash/${workspaceId}`, token)).status).toBe(204)
    return async () =>
      expect((await app.send('POST', `/v1/trash/${workspaceId}/restore`, token)).status).toBe(200)
  }

  test('comes back with roles that groups gave, which end later as ever', async () => {
    const workspaceId = await app.workspace(owner, 'Comes back')
    const at = await serverWith([inWorkspace('staff', 'Comes back', 'editor')])
    const { me } = await at.enter(person('back', ['staff']))
    const restore = await trash(workspaceId)
    await at.enter(person('back', ['staff']))
    const late = (await at.enter(person('late', ['staff']))).me?.id
    await restore()
    expect([await roleOf(workspaceId, me?.id), await roleOf(workspaceId, late)]).toEqual([
      'editor',
      undefined,
    ])
    await at.enter(person('back', []))
    expect(await roleOf(workspaceId, me?.id)).toBeUndefined()
  })

  test('keeps its name: another one that is called so meanwhile gives nobody a role', async () => {
    const real = await app.workspace(owner, 'Finance Trash')
    const at = await serverWith([inWorkspace('staff', 'Finance Trash', 'editor')])
    const { me } = await at.enter(person('keeps-name', ['staff']))
    const restore = await trash(real)
    const like = await app.workspace(await app.person(), 'Finance Trash')
    await at.enter(person('keeps-name', ['staff']))
    const late = (await at.enter(person('name-late', ['staff']))).me?.id
    const roles = () =>
      Promise.all([roleOf(like, me?.id), roleOf(like, late), roleOf(real, me?.id), roleOf(real, late)])
    expect(await roles()).toEqual([undefined, undefined, undefined, undefined])
    expect(warnings(at)[0]?.fields).toMatchObject({ workspace: 'Finance Trash', count: 2, inTrash: 1 })
    await restore()
    for (const name of ['keeps-name', 'name-late']) await at.enter(person(name, ['staff']))
    expect(await roles()).toEqual([undefined, undefined, 'editor', undefined])
  })

  test('comes back without roles whose group ended meanwhile, and without owners by it', async () => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([
      inWorkspace('leads', workspaceId, 'owner'),
      inWorkspace('staff', workspaceId, 'editor'),
    ])
    const lead = await at.enter(person('trash-lead', ['leads']))
    const staff = await at.enter(person('trash-staff', ['staff']))
    const both = await at.enter(person('trash-both', []))
    await app.member(workspaceId, { id: both.me?.id ?? '', email: '' }, 'viewer')
    await at.enter(person('trash-both', ['leads']))
    const restore = await trash(workspaceId)
    for (const name of ['trash-lead', 'trash-staff', 'trash-both']) await at.enter(person(name, []))
    const token = await app.token({ id: lead.me?.id ?? '', email: lead.me?.email ?? '' })
    expect((await app.send('POST', `/v1/trash/${workspaceId}/restore`, token)).status).toBe(404)
    await restore()
    expect(await Promise.all([lead, staff, both].map(({ me }) => roleOf(workspaceId, me?.id)))).toEqual([
      undefined,
      undefined,
      'viewer',
    ])
  })
})

describe('the right of an administrator', () => {
  test('comes and goes with the group, at once', async () => {
    const at = await serverWith([adminBy('kenning-admins')])
    const { cookie, me } = await at.enter(person('root', ['kenning-admins']))
    expect(me?.admin).toBe(true)
    expect((await at.enter(person('root', ['staff']))).me?.admin).toBe(false)
    const users = await at.server.inject({ method: 'GET', url: '/account/users', headers: { cookie } })
    expect(users.statusCode).toBe(403)
    const acts = (await activityOf(app.deps.db, null)).filter(({ action }) => action.startsWith('admin_'))
    expect(acts.map(({ action, subject, detail }) => [action, subject, detail]).slice(-2)).toEqual([
      ['admin_made', me?.id, { by: 'group' }],
      ['admin_unmade', me?.id, { by: 'group' }],
    ])
  })

  test('that a person gave stays, also where a group gave it before', async () => {
    const at = await serverWith([adminBy('kenning-admins')])
    const { me } = await at.enter(person('chosen', ['kenning-admins']))
    const cookie = await app.cookie(admin)
    const patch = (body: object) =>
      app.send('PATCH', `/account/users/${me?.id}`, undefined, { body, headers: { cookie, origin: ORIGIN } })
    expect((await patch({ status: 'active' })).status).toBe(200)
    expect((await at.enter(person('chosen', []))).me?.admin).toBe(false)
    await at.enter(person('chosen', ['kenning-admins']))
    expect((await patch({ admin: true })).status).toBe(200)
    expect((await at.enter(person('chosen', []))).me?.admin).toBe(true)
    await at.enter(person('chosen', ['kenning-admins']))
    expect((await at.enter(person('chosen', []))).me?.admin).toBe(true)
    expect((await patch({ admin: false })).status).toBe(200)
  })

  test('by a group is made lasting by another administrator only, and the activity log has it', async () => {
    const at = await serverWith([adminBy('kenning-admins')])
    const { me, cookie } = await at.enter(person('keeper', ['kenning-admins']))
    const patch = (as: string, body: object) =>
      app.send('PATCH', `/account/users/${me?.id}`, undefined, {
        body,
        headers: { cookie: as, origin: ORIGIN },
      })
    const isByGroup = async (): Promise<boolean | undefined> => {
      const headers = { cookie: await app.cookie(admin) }
      const { data } = (await at.server.inject({ method: 'GET', url: '/account/users', headers })).json<{
        data: User[]
      }>()
      return data.find(({ id }) => id === me?.id)?.admin_by_group
    }
    expect(await isByGroup()).toBe(true)
    const own = await patch(cookie, { admin: true })
    expect(own.status).toBe(403)
    expect(own.body).toMatchObject({ error: { message: expect.stringContaining('A group') } })
    expect((await at.enter(person('keeper', []))).me?.admin).toBe(false)
    await at.enter(person('keeper', ['kenning-admins']))
    const boss = await app.cookie(admin)
    for (const status of [200, 200]) expect((await patch(boss, { admin: true })).status).toBe(status)
    expect(await isByGroup()).toBe(false)
    const acts = (await activityOf(app.deps.db, null)).filter(({ subject }) => subject === me?.id)
    const made = acts.filter(({ action, actor_id }) => action === 'admin_made' && actor_id !== null)
    expect(made.map(({ actor_id, detail }) => [actor_id, detail])).toEqual([[admin.id, {}]])
    // Who has the right from a person may say so again.
    const { cookie: now } = await at.enter(person('keeper', []))
    expect((await patch(now, { admin: true })).status).toBe(200)
    expect((await patch(boss, { admin: false })).status).toBe(200)
  })

  test('the last administrator stays one, until there is another', async () => {
    const at = await serverWith([adminBy('kenning-admins')])
    await at.enter(person('last', ['kenning-admins']))
    await setStatus(app.deps.db, admin.id, 'suspended')
    expect((await at.enter(person('last', []))).me?.admin).toBe(true)
    expect(warnings(at).at(-1)?.message).toContain('last administrator')
    await setStatus(app.deps.db, admin.id, 'active')
    expect((await at.enter(person('last', []))).me?.admin).toBe(false)
  })
})

describe('deny by default', () => {
  test.each<[string, unknown, object, string | undefined]>([
    ['no claim', undefined, {}, 'no_claim'],
    ['null', null, {}, 'no_claim'],
    ['an object', { staff: true, 0: 'staff', length: 1 }, {}, 'not_a_list'],
    ['a number', 7, {}, 'not_a_list'],
    ['true', true, {}, 'not_a_list'],
    ['a list of lists', [['staff']], {}, 'not_a_list'],
    ['names in one text', 'staff,other', {}, undefined],
    ['another case', ['Staff', ' staff', '/staff'], {}, undefined],
    [
      'six thousand',
      [...Array.from({ length: 6000 }, (_, no) => `group-${no}`), 'staff'],
      {},
      'too_long_list',
    ],
    [
      'more than fit into a token of Entra',
      undefined,
      {
        _claim_names: { groups: 'src1' },
        _claim_sources: { src1: { endpoint: 'https://graph.example/users/1/getMemberObjects' } },
      },
      'too_many_for_token',
    ],
  ])('%s gives nothing, ends what there was, and is in the log', async (_, groups, claims, reason) => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([inWorkspace('staff', workspaceId, 'editor'), adminBy('staff')])
    const { me } = await at.enter(person('hostile', ['staff']))
    expect([await roleOf(workspaceId, me?.id), me?.admin]).toEqual(['editor', true])
    const after = await at.enter(person('hostile', groups, claims))
    expect([after.status, after.me?.admin, await roleOf(workspaceId, me?.id)]).toEqual([
      303,
      false,
      undefined,
    ])
    expect(warnings(at).map(({ fields }) => fields.reason)).toEqual(reason ? [reason] : [])
  })

  test('four thousand groups are read, and so are the names among other entries', async () => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([inWorkspace('staff', workspaceId, 'editor')])
    const many = [...Array.from({ length: 4000 }, (_, no) => `group-${no}`), 'staff']
    const { me } = await at.enter(person('large', many))
    expect(await roleOf(workspaceId, me?.id)).toBe('editor')
    await at.enter(person('large', ['staff', 7, null, {}, '']))
    expect(await roleOf(workspaceId, me?.id)).toBe('editor')
    expect(warnings(at).map(({ fields }) => fields.reason)).toEqual(['not_a_list'])
  })

  test('an answer of the provider that does not end is not read to its end', async () => {
    const at = await serverWith([adminBy('staff')])
    const huge = Array.from({ length: 40_000 }, (_, no) => `a-group-with-a-longer-name-${no}`)
    expect((await at.enter(person('huge', huge))).status).toBe(503)
  })

  test('whoever may no longer sign in loses at once what groups gave', async () => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([inWorkspace('staff', workspaceId, 'editor'), adminBy('staff')], {
      groups: ['staff'],
    })
    const { me, cookie } = await at.enter(person('out', ['staff']))
    expect((await at.enter(person('out', ['other']))).status).toBe(403)
    expect(await roleOf(workspaceId, me?.id)).toBeUndefined()
    const again = await at.server.inject({ method: 'GET', url: '/account', headers: { cookie } })
    expect(again.json()).toMatchObject({ admin: false })
  })

  test('a namesake who is refused takes nothing from the other person', async () => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([inWorkspace('staff', workspaceId, 'editor')])
    const { me } = await at.enter(person('namesake', ['staff']))
    expect((await at.enter(person('namesake', [], { sub: 'another' }))).status).toBe(403)
    expect(await roleOf(workspaceId, me?.id)).toBe('editor')
  })

  test('a suspended person gets nothing, and comes back with what their groups give then', async () => {
    const workspaceId = await app.workspace(owner)
    const at = await serverWith([inWorkspace('staff', workspaceId, 'editor'), adminBy('staff')])
    const { me } = await at.enter(person('away', []))
    await setStatus(app.deps.db, me?.id ?? '', 'suspended')
    expect((await at.enter(person('away', ['staff']))).status).toBe(403)
    expect(await roleOf(workspaceId, me?.id)).toBeUndefined()
    await setStatus(app.deps.db, me?.id ?? '', 'active')
    expect((await at.enter(person('away', ['staff']))).me?.admin).toBe(true)
    expect(await roleOf(workspaceId, me?.id)).toBe('editor')
    await at.enter(person('away', []))
  })
})
