import { expect, test } from 'vitest'
import { readMigrations, splitLocks } from '../src/ports/db/migrations.ts'

/** The SHA-256 of each migration as it was released. */
const FROZEN: Record<string, string> = {
  '0001_extensions.sql': '3eabb6e34f0cc2560e9d1d272397cc97afde2d3437008b4b8f67a268838bc134',
  '0002_isolation.sql': '67dba9e003a4b33372be74d2d29efb5285bf63e3fdada36f3612b7cd0f269909',
  '0003_accounts.sql': '9a976943e4fb9392c14b55fd33ac73744525f57a80be60533a86d39af502225f',
  '0004_credentials.sql': '227a8bc32a13ef2ec4b93332e914a8c02fa308a1b60340febdd90d357b7b4bfc',
  '0005_audit.sql': 'c130beecb3eefe17fa79a0324b7c893e2b98a2db18e741672c9b29792d6019ff',
  '0006_workspaces.sql': '13c1c3596e9901c0671b9f5460d6780e1fbe0ddd031e89d4fc3ba20d18cbb8b7',
  '0007_documents.sql': 'c9379da44db857914478beb5491db6bc58e98fe24a6a758ee659717bdc24dfce',
  '0008_search.sql': '9261ceba3c1622e00150010a2c5838c15c3a9c6663d2b06c26059c6da11ed298',
  '0009_vectors.sql': '4a85e012854745d3738911747f7c66b9e843b077606cd89f259681b62c8d635b',
  '0010_graph.sql': 'f0a7550205317dd0abf65c291b3b8cb79add4995792bb10159c79512727cc42c',
  '0011_jobs.sql': '9e47d1378156125ec95f4a3afe21e8c92730335d901e1a239ad68d2546fb6b72',
  '0012_threads.sql': '08353bbd0c3a9bb89e7f4a23a180f2ccf341d3eb081a2a76de6aaa5cda68d048',
  '0013_evaluation.sql': '3b62d6b0c72dbcc6049bc6e50483c7c75290e7460f8461ee2a1153daaa5f6d67',
  '0014_sign_in_links.sql': '84b54b9c5711a1fc490250d736f9fdf6e30ddd906d55b4ee85de344b39ed50a4',
  '0015_subjects.sql': '8d394b0b300992e27e4eab0acbbb79b1d014dbaac7c143bf26f5928a4b32d107',
  '0016_usage.sql': '7074e8eb45dadc1140a9871baccb3ce246b81b0c84179d1595474c535da87d81',
  '0017_sources.sql': 'cc316f9935b85d631fce15fac2907c5a4fcd44315f52f7fe9651fbfaa8500381',
  '0018_imports.sql': '5dccb0a55c07fdc03cce9bb408ed9ca033cf061afcfca14b6905185a6432810a',
  '0019_dismissed_files.sql': '9d2060873df65cacb3daaf89ca09c20a0c8cb04bb7ce584f851f0b5f9c821d2d',
  '0020_document_use.sql': '7019f5610c54aee9fdca2d5405bb98b3f3434a842cefceb832d620fd47ef850a',
  '0021_indexing.sql': 'ac9b3bb5287f722d25c00560b3931d60b38d1e07cc2be1e870e1d231e168fad6',
  '0022_pace.sql': '530df3a73a9b9ba8d3682888c6e8e9b329a468d26f9bda122446bca2fbee1608',
  '0023_workspace_changes.sql': '9434f7e420cade5878ee30104b863c7d253233621df12b56ce7fbe177ca55a62',
  '0024_claim_plan.sql': 'a190020b02f0ec68db00e7befd5bbe324c90d1f11201489d582f9700637b693c',
  '0025_chunks_beside.sql': 'cc4d17f7065ebc738a811f163739740d995b69714f5f9caab46796d7124bf43f',
  '0026_workspace_again.sql': '8320355be86585087226d7419141f5668555bfbd8ad3ebe515676427280bb6b6',
  '0027_import_tasks.sql': 'c52816b59d27ae32ab68579fd003112f6907596b9ce9dce9515133908a367279',
  '0028_import_sources.sql': '20460dc0c3f4aee9b54deca0feb2fe165739bbdd32cf8ded5375e9b266e6a979',
  '0029_without_lsa.sql': '75aa565629b630a7057e82ccabea87e064146aa36d1790a29e7c66aef15fe6e8',
  '0030_namesakes.sql': 'df76e89d6af390c36c78811fe005210606f4ab3adcede0984f390e37c2330eb7',
  '0031_model_settings.sql': '92f666671f912764bc4f323ca7b239d09d73bd0ab4807da05b5fa062932055fb',
  '0032_shared_threads.sql': '05c37c673f87e644ba3bb8e46c94b485f0e45108c2a3911e7dc993be13239bf0',
  '0033_models_of_all_kinds.sql': 'f9022bcf23d696a5b400933ce82c6e713f524fa114a029ebbb9d42801a3c0245',
  '0034_model_spending.sql': '39d306c66d3b19f0301981445560c7ae55e07f2032b2b77d1f11f2d54617d85b',
  '0035_operation.sql': '8b399050f3d6b0febbc44217f7778f797a884fabb99f8dd72b2b2f4e88d9f064',
  '0036_person_limits.sql': 'e13d9ef6af452a198206dac61f4dd2739b6e1641c9a7a3c00b6eca819756036e',
  '0037_trash.sql': 'fbe30187c2acbb5414956a073ccdd5962ba60f6bdbdc40bb625e1a56717b041f',
  '0038_second_factor.sql': '3f76388395562cd36143590e3c64d6260d97d57ffe1af2d707aecec02d68d1a8',
  '0039_account_language.sql': 'c190767937e26e7f61fa0a2f89f516c8205a96825df56fd5ec3aca8a9703b9b5',
  '0040_suggested_questions.sql': '11083b29fca02d417b51d86d0dbcab092817cc97b40ccb46d8a533c2c55c97c6',
  '0041_group_roles.sql': '17a2af7b771203c25f01776310a881195bce58847d2f322dd0b833a8d9d95908',
  '0042_passkeys.sql': 'd3397f6257b684691f69867f5712199c8177bd4ee15605a6ac0b1ffbf46d3958',
  '0043_moves.sql': '0bddbf9114cef33acee39f1b9734caf2b2441799c0615f861c32962b613e05c3',
}

// Merged before there was the rule.
const OLDER: Record<string, string[]> = {
  '0004_credentials.sql': ['account', 'session'],
  '0013_evaluation.sql': ['thread', 'turn', 'workspace'],
  '0014_sign_in_links.sql': ['session', 'token_grant'],
  '0021_indexing.sql': ['chunk', 'version'],
}

const RULE = `Begin the migration with LOCK TABLE and all of these tables, in the mode that its statements need: then it waits
for them for two seconds at most, gives up, and tries again, and what comes afterwards is not begun again for a lock.`

const MESSAGE = `Migrations are frozen: every database remembers the SHA-256 of the files that were applied to it, and
refuses to start with others. Restore the file as it was and put the change into a new one, with the next number; then add
the SHA-256 of the new file to the table in this test (\`sha256sum migrations/*\`).`

test('no migration is changed, renamed or removed', () => {
  const found = readMigrations().map(({ name, checksum }) => [name, checksum])
  expect(Object.fromEntries(found), MESSAGE).toEqual(FROZEN)
})

/** Tables of earlier files that statements of this one change, or that its foreign keys refer to; `moves` rows. */
function changesOf(text: string): { tables: string[]; moves: boolean } {
  const statements = text.replace(/--.*/g, '').replace(/\$\$[\s\S]*?\$\$/g, '')
  const found = (pattern: RegExp) => [...statements.matchAll(pattern)].map(([, name = '']) => name)
  const made = new Set(found(/\bCREATE TABLE (\w+)/g))
  const moved = found(/^(?:UPDATE|INSERT INTO|DELETE FROM) (\w+)/gm)
  const changed = found(
    /\b(?:ALTER TABLE|DROP TABLE|TRUNCATE|REFERENCES|CREATE (?:UNIQUE )?INDEX \w+ ON|TRIGGER \w+ [A-Z ]+ ON) (\w+)/g,
  )
  const tables = new Set([...changed, ...moved].filter((name) => !made.has(name)))
  return { tables: [...tables].sort(), moves: moved.some((name) => !made.has(name)) }
}

/** Tables that a file should lock at its beginning, and does not. */
function unlocked(text: string): string[] {
  const { tables, moves } = changesOf(text)
  if (tables.length < 2 && !moves) return []
  const { locks = '' } = splitLocks(text)
  return tables.filter((name) => !new RegExp(`\\b${name}\\b`).test(locks.replace(/--.*/g, '')))
}

test('a migration that changes several tables in use, or rows of one, locks them at its beginning', () => {
  const moves = '-- Why.\nUPDATE chunk SET pairs = 2;'
  expect(unlocked(moves)).toEqual(['chunk'])
  expect(unlocked(`-- A chunk.\n\nLOCK TABLE chunk IN SHARE ROW EXCLUSIVE MODE;\n${moves}`)).toEqual([])
  const found = readMigrations().map(({ name, text }) => [name, unlocked(text)] as const)
  expect(Object.fromEntries(found.filter(([, tables]) => tables.length > 0)), RULE).toEqual(OLDER)
})
