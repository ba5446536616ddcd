// The permission matrix: every principal x relation to the workspace x endpoint of the contract, then objects inside a
// workspace: the caller's own, another workspace's, unknown ones.

import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertSession } from '../../src/accounts/sessions.sql.ts'
import type { Role } from '../../src/auth/caller.ts'
import { type Endpoint, type EndpointId, endpoints } from '../../src/contract/endpoints.ts'
import type { Me, Page, Workspace } from '../../src/contract/resources.ts'
import { moveToTrash } from '../../src/workspaces/trash.sql.ts'
import { bodyOf, type Person, type TestApp, testApp } from '../support/app.ts'
import type { Answered } from '../support/contract.ts'
import { absent, type Contents, furnish, keyOf, pathOf, validBody } from '../support/world.ts'

type Outcome = 'ok' | 'fb' | 'nf' | 'is'
type Relation = Role | 'none' | 'absent'

const readable = { owner: 'ok', editor: 'ok', viewer: 'ok' } as const
const editable = { owner: 'ok', editor: 'ok', viewer: 'fb' } as const
// The thread in a furnished workspace is its owner's, and nobody else's; so is what was saved and said.
const ownThread = { owner: 'ok', editor: 'nf', viewer: 'nf' } as const
// In the trash a workspace is its owners', and nobody else sees it.
const ownTrash = { owner: 'ok', editor: 'nf', viewer: 'nf' } as const
const owned = { owner: 'ok', editor: 'fb', viewer: 'fb' } as const

/** Tables 3.1 and 3.3; a row of the contract without one fails below. `own`: no workspace is addressed (3.2). */
const matrix: Record<EndpointId, Record<Role, Outcome> | 'own'> = {
  getMe: 'own',
  listWorkspaces: 'own',
  createWorkspace: 'own',
  getWorkspace: readable,
  updateWorkspace: editable,
  deleteWorkspace: owned,
  listDocuments: readable,
  readDocument: readable,
  findDocuments: readable,
  listDocumentDetails: readable,
  listFolders: readable,
  getDocumentDetails: readable,
  listChunkPlaces: readable,
  listDocumentLayout: readable,
  listDocumentEntities: readable,
  deleteDocument: editable,
  moveDocuments: editable,
  moveFolder: editable,
  trashDocuments: editable,
  listTrash: editable,
  restoreDocuments: editable,
  deleteTrashed: editable,
  trashWorkspace: owned,
  listTrashedWorkspaces: 'own',
  restoreWorkspace: ownTrash,
  deleteTrashedWorkspace: ownTrash,
  getOriginal: readable,
  getPageImage: readable,
  listVersions: readable,
  getVersionOriginal: readable,
  getVersionText: readable,
  restoreVersion: editable,
  reindexDocument: editable,
  reindexWorkspace: editable,
  uploadFiles: editable,
  addExamples: editable,
  getJob: readable,
  cancelJob: editable,
  listFailedFiles: readable,
  dismissFailedFiles: editable,
  listJobs: readable,
  getJobProgress: readable,
  jobEvents: readable,
  search: readable,
  inspectSearch: readable,
  listScopes: readable,
  listScopeDocuments: readable,
  putScope: editable,
  changeScope: editable,
  deleteScope: editable,
  ask: readable,
  checkText: readable,
  listEntities: readable,
  getEntity: readable,
  getThemes: readable,
  getGraph: readable,
  listEvidence: readable,
  getEntityPaths: readable,
  listMerges: readable,
  putMerge: editable,
  undoMerge: editable,
  listDuplicates: readable,
  listMergeCandidates: readable,
  estimateGraph: readable,
  listSuggestedQuestions: readable,
  listThreads: readable,
  getThread: ownThread,
  updateThread: ownThread,
  deleteThread: ownThread,
  putShare: ownThread,
  deleteShare: ownThread,
  getSharedThread: readable,
  putFeedback: ownThread,
  deleteFeedback: ownThread,
  listTurnCitations: ownThread,
  exportWorkspace: owned,
  importWorkspace: 'own',
  listImports: 'own',
  getImport: 'own',
  cancelImport: 'own',
  getMembership: readable,
  listEvaluationQuestions: readable,
  createEvaluationQuestion: readable,
  deleteEvaluationQuestion: ownThread,
  exportEvaluationSet: readable,
  listMembers: owned,
  putMember: owned,
  deleteMember: owned,
  listActivity: owned,
  getUsage: owned,
  getDocumentUse: owned,
  listSources: editable,
  getSource: editable,
  createSource: owned,
  updateSource: owned,
  deleteSource: owned,
  runSource: owned,
  getSourcePlaces: owned,
  listWebhooks: owned,
  createWebhook: owned,
  updateWebhook: owned,
  deleteWebhook: owned,
  testWebhook: owned,
  listWebhookDeliveries: owned,
}
const writes: EndpointId[] = [
  'createWorkspace',
  'importWorkspace',
  'cancelImport',
  'updateWorkspace',
  'deleteWorkspace',
  'deleteDocument',
  'moveDocuments',
  'moveFolder',
  'trashDocuments',
  'listTrash',
  'restoreDocuments',
  'deleteTrashed',
  'trashWorkspace',
  'listTrashedWorkspaces',
  'restoreWorkspace',
  'deleteTrashedWorkspace',
  'restoreVersion',
  'reindexDocument',
  'reindexWorkspace',
  'uploadFiles',
  'addExamples',
  'dismissFailedFiles',
  'cancelJob',
  'putScope',
  'changeScope',
  'deleteScope',
  'putMerge',
  'undoMerge',
  'putMember',
  'deleteMember',
  'createSource',
  'updateSource',
  'deleteSource',
  'runSource',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'testWebhook',
]
/** They change what is the caller's own: a token needs to be able to write, a key does not. */
const ownWrites: EndpointId[] = [
  'updateThread',
  'deleteThread',
  'putShare',
  'deleteShare',
  'deleteFeedback',
  'deleteEvaluationQuestion',
]
const ids = Object.keys(matrix) as EndpointId[]
const inWorkspace = ids.filter((id) => matrix[id] !== 'own')

let app: TestApp
let people: Record<Role | 'stranger', Person>
const tokens = new Map<string, string>()

// K+: a key for the workspace, its owner in the relation; K-: a key that was not given it.
const principals = ['S', 'RW', 'R', 'W', 'K+', 'K-'] as const
type Principal = (typeof principals)[number]

/** Where nothing is changed one workspace serves all: to be read, or to be refused. */
let shared: Contents
let trashed: Contents

beforeAll(async () => {
  app = await testApp({ askPerHour: 100_000 })
  const [owner, editor, viewer, stranger] = await Promise.all([
    app.person(),
    app.person(),
    app.person(),
    app.person(),
  ])
  people = { owner, editor, viewer, stranger }
  for (const [who, person] of Object.entries(people)) {
    const sessionHash = createHash('sha256').update(randomBytes(32)).digest()
    await insertSession(app.deps.db, { hash: sessionHash, accountId: person.id, seconds: 600 })
    tokens.set(`S ${who}`, await app.token(person, { clientId: null, sessionHash }))
    tokens.set(`RW ${who}`, await app.token(person))
    tokens.set(`R ${who}`, await app.token(person, { scopes: ['knowledge:read'] }))
    tokens.set(`W ${who}`, await app.token(person, { scopes: ['knowledge:write', 'something:else'] }))
  }
  shared = await furnish(app, owner, { editor, viewer })
  trashed = await furnishTrashed()
})
afterAll(() => app.close())

/** What a principal sends who wants to reach the workspaces. */
async function tokenOf(principal: Principal, who: Role | 'stranger', ...at: Contents[]): Promise<string> {
  const given = principal === 'K+' ? at.map(({ workspace_id }) => workspace_id) : []
  const name = [principal, who, ...given].join(' ')
  const token = tokens.get(name) ?? (await keyOf(app, people[who], given))
  tokens.set(name, token)
  return token
}

const call = (id: EndpointId, at: Contents, token: string | undefined): Promise<Answered> =>
  app.send(
    endpoints[id].method,
    // Administrators alone may keep ids.
    `${pathOf(id, at)}${id === 'importWorkspace' ? '?ids=new' : ''}`,
    token,
    validBody(id, at),
  )

function expectOutcome(answer: Answered, outcome: Outcome, id: EndpointId): void {
  const row: Endpoint = endpoints[id]
  const expected = {
    ok: [row.status, undefined],
    fb: [403, 'forbidden'],
    is: [403, 'insufficient_scope'],
    nf: [404, 'not_found'],
  }[outcome]
  const { error } = (answer.body ?? {}) as { error?: { type: string } }
  expect([answer.status, error?.type], `${id}: ${answer.text.slice(0, 200)}`).toEqual(expected)
}

function expected(id: EndpointId, principal: Principal, relation: Relation): Outcome {
  if (principal === 'W') return 'is'
  const reads = principal === 'R' || principal === 'K+' || principal === 'K-'
  if (reads && writes.includes(id)) return 'is'
  if (principal === 'R' && ownWrites.includes(id)) return 'is'
  const row = matrix[id]
  if (row === 'own') return 'ok'
  if (relation === 'none' || relation === 'absent' || principal === 'K-') return 'nf'
  return row[principal === 'K+' ? 'viewer' : relation]
}

/** A furnished workspace in the trash. */
async function furnishTrashed(): Promise<Contents> {
  const { owner, editor, viewer } = people
  const contents = await furnish(app, owner, { editor, viewer })
  await app.deps.db.tx((tx) => moveToTrash(tx, contents.workspace_id))
  return contents
}

/** A workspace that may be changed when the request will change it. */
const contentsFor = (id: EndpointId, outcome: Outcome): Promise<Contents> | Contents => {
  const { owner, editor, viewer } = people
  if (matrix[id] === ownTrash) return outcome === 'ok' ? furnishTrashed() : trashed
  const changes = writes.includes(id) || /^(?:delete|update)(?:Thread|Share|Feedback|Evaluation)/.test(id)
  return outcome === 'ok' && changes ? furnish(app, owner, { editor, viewer }) : shared
}

test('every operation of the served OpenAPI description has a row here', async () => {
  const { body } = await app.send('GET', '/v1/openapi.json')
  const paths = Object.values(
    (body as { paths: Record<string, Record<string, { operationId: string }>> }).paths,
  )
  const operations = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
  expect(operations.sort()).toEqual([...ids].sort())
})

describe.each(inWorkspace)('%s', (id) => {
  test.each(principals)('%s in every relation', async (principal) => {
    for (const relation of ['owner', 'editor', 'viewer', 'none', 'absent'] as const) {
      const who = relation === 'none' || relation === 'absent' ? 'stranger' : relation
      const outcome = expected(id, principal, relation)
      const contents = relation === 'absent' ? absent : await contentsFor(id, outcome)
      expectOutcome(await call(id, contents, await tokenOf(principal, who, contents)), outcome, id)
    }
  })

  test('without a token', async () => {
    for (const at of [absent, shared, trashed]) expect((await call(id, at, undefined)).status).toBe(401)
  })

  test('foreign and unknown ids get identical responses', async () => {
    for (const principal of principals) {
      const token = await tokenOf(principal, 'stranger', shared, absent)
      for (const at of [shared, trashed])
        expect(visible(await call(id, at, token))).toEqual(visible(await call(id, absent, token)))
    }
  })
})

/** All a client sees, but for what differs from request to request. */
function visible({ status, headers, text }: Answered) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers
  return { status, headers: rest, text }
}

test('routes without a workspace', async () => {
  for (const id of [
    'getMe',
    'listWorkspaces',
    'createWorkspace',
    'importWorkspace',
    'listTrashedWorkspaces',
  ] as const) {
    for (const principal of principals) {
      const outcome = id === 'getMe' ? 'ok' : expected(id, principal, 'owner')
      expectOutcome(await call(id, absent, await tokenOf(principal, 'owner')), outcome, id)
    }
    expect((await call(id, absent, undefined)).status).toBe(401)
  }
})

test('me says how the caller authenticated and what it may do', async () => {
  const me = async (principal: Principal) =>
    bodyOf<Me>(await call('getMe', absent, await tokenOf(principal, 'editor', shared)))
  const { id, email } = people.editor
  const both = ['knowledge:read', 'knowledge:write']
  expect(await me('S')).toMatchObject({ id, email, auth: 'session', scopes: both })
  expect(await me('RW')).toMatchObject({ id, email, auth: 'oauth', scopes: both })
  expect(await me('R')).toMatchObject({ auth: 'oauth', scopes: ['knowledge:read'] })
  expect(await me('W')).toMatchObject({ auth: 'oauth', scopes: ['knowledge:write'] })
  for (const [principal, count] of [
    ['K+', 1],
    ['K-', 0],
  ] as const) {
    const key = await me(principal)
    expect(key).toMatchObject({ auth: 'api_key', scopes: ['knowledge:read'], workspace_count: count })
    expect([key.email, key.id === id]).toEqual([undefined, false])
  }
})

test('lists contain exactly what the caller has a role in; the creator is the owner', async () => {
  const reader = await app.person()
  const token = await app.token(reader)
  const seen = await furnish(app, people.owner, { viewer: reader })
  await furnish(app, people.owner)
  const made = bodyOf<Workspace>(await call('createWorkspace', absent, token))
  const listed = bodyOf<Page<Workspace>>(await call('listWorkspaces', absent, token))
  expect(listed.data.map(({ id }) => id)).toEqual([seen.workspace_id, made.id])
  const key = await keyOf(app, reader, [made.id, shared.workspace_id])
  const forKey = bodyOf<Page<Workspace>>(await call('listWorkspaces', absent, key))
  expect(forKey.data.map(({ id }) => id)).toEqual([made.id])
  expect((await app.send('DELETE', `/v1/workspaces/${made.id}`, token)).status).toBe(204)
})

// Addressed otherwise: by the tests of each route above, and by those of pages and turns.
const notInside = new Set<keyof Contents>(['workspace_id', 'job_id', 'page', 'turn_number'])
const readBack: Partial<Record<EndpointId, EndpointId>> = {
  deleteDocument: 'readDocument',
  deleteTrashed: 'listTrash',
  reindexDocument: 'readDocument',
  restoreVersion: 'listVersions',
  deleteScope: 'listScopes',
  putMerge: 'listMerges',
  undoMerge: 'listMerges',
  deleteThread: 'getThread',
  putShare: 'getSharedThread',
  deleteShare: 'getSharedThread',
  deleteFeedback: 'getThread',
  deleteEvaluationQuestion: 'listEvaluationQuestions',
  deleteMember: 'listMembers',
  updateSource: 'getSource',
  deleteSource: 'getSource',
  runSource: 'getSource',
  updateThread: 'getThread',
  updateWebhook: 'listWebhookDeliveries',
  deleteWebhook: 'listWebhookDeliveries',
  testWebhook: 'listWebhookDeliveries',
}

describe('things inside a workspace', () => {
  /** Another workspace of the same people, with a member of its own. */
  let elsewhere: Promise<Contents>
  beforeAll(() => {
    const { owner, editor, viewer } = people
    elsewhere = (async () => {
      const there = await furnish(app, owner, { editor, viewer })
      const resident = await app.person()
      await app.member(there.workspace_id, resident, 'viewer')
      return { ...there, user_id: resident.id }
    })()
  })

  /** Every parameter of every path: what is named there may be of another workspace, or of none. */
  const inside = inWorkspace.flatMap((id) =>
    [...endpoints[id].path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name as keyof Contents)
      .filter((name) => !notInside.has(name) && !(id === 'putScope' && name === 'scope_name'))
      .map((name) => [id, name] as const),
  )

  test.each(inside)('%s: %s of another workspace or absent is 404, the same bytes', async (id, name) => {
    const there = await elsewhere
    for (const principal of ['S', 'RW', 'R', 'K+'] as const) {
      for (const who of ['owner', 'editor', 'viewer'] as const) {
        const token = await tokenOf(principal, who, shared, there)
        const other = await call(id, { ...shared, [name]: there[name] }, token)
        const nowhere = await call(id, { ...shared, [name]: absent[name] }, token)
        const role = expected(id, principal, who)
        expectOutcome(other, role === 'ok' ? 'nf' : role, id)
        expect(visible(other)).toEqual(visible(nowhere))
      }
    }
    // What was asked for in vain is still there.
    const still = readBack[id] ?? id
    expectOutcome(await call(still, there, await tokenOf('RW', 'owner')), 'ok', still)
  })

  test('a thread belongs to one caller and one workspace', async () => {
    const { owner, editor, viewer } = people
    const [here, there] = [await furnish(app, owner, { editor, viewer }), await furnish(app, owner)]
    const ask = (at: Contents, token: string, threadId: string | null) =>
      app.send('POST', pathOf('ask', at), token, { body: { question: 'Who wrote it?', thread_id: threadId } })
    const started = bodyOf<{ thread_id: string }>(await ask(here, await tokenOf('S', 'owner'), null))
    expectOutcome(await ask(here, await tokenOf('S', 'owner'), started.thread_id), 'ok', 'ask')
    const refused = [
      await ask(here, await tokenOf('S', 'editor'), started.thread_id),
      await ask(there, await tokenOf('S', 'owner'), started.thread_id),
      await ask(here, await tokenOf('S', 'owner'), absent.workspace_id),
    ]
    for (const answer of refused) expectOutcome(answer, 'nf', 'ask')
    expect(new Set(refused.map((answer) => JSON.stringify(visible(answer)))).size).toBe(1)
    expect(
      (
        await app.send('POST', pathOf('ask', here), await tokenOf('S', 'owner'), {
          body: { question: 'Who?', thread_id: 'not-a-uuid' },
        })
      ).status,
    ).toBe(422)
  })

  test('an unknown scope is 404, unknown entities match nothing', async () => {
    const here = await furnish(app, people.owner)
    const search = async (more: object) =>
      app.send('POST', pathOf('search', here), await tokenOf('R', 'owner'), {
        body: { query: 'harbour', ...more },
      })
    expectOutcome(await search({ scope: 'kind:none' }), 'nf', 'search')
    expectOutcome(await search({ scope: 'kind:\u0000md' }), 'ok', 'search')
    const nothing = await search({ entity_ids: ['nonsense', absent.entity_id] })
    expect(nothing.body).toEqual({ query: 'harbour', data: [] })
  })
})

test('a changed role takes effect with the next request', async () => {
  const person = await app.person()
  const token = await app.token(person)
  const here = await furnish(app, people.owner)
  const rename = () => call('updateWorkspace', here, token)
  expectOutcome(await rename(), 'nf', 'updateWorkspace')
  await app.member(here.workspace_id, person, 'viewer')
  expectOutcome(await rename(), 'fb', 'updateWorkspace')
  await app.member(here.workspace_id, person, 'editor')
  expectOutcome(await rename(), 'ok', 'updateWorkspace')
  await app.member(here.workspace_id, person, 'viewer')
  expectOutcome(await rename(), 'fb', 'updateWorkspace')
})
