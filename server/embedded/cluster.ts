import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, lchownSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Identity } from './os-user.ts'
import { DatabaseStartError, explain } from './start-error.ts'

export const ROLE = 'khamar'
export const DATABASE = 'khamar'

/** What the programs see of our environment: nothing that could change what they do. */
export const PROGRAM_ENV = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

const CONFIG = `# Made by Khamar on its first start; yours to change. Port and socket are given at each start.
max_connections = 60
shared_buffers = 64MB
work_mem = 8MB
maintenance_work_mem = 64MB
effective_cache_size = 512MB
random_page_cost = 1.1
max_wal_size = 512MB
# Short queries of a shop gain nothing from these two.
jit = off
max_parallel_workers_per_gather = 0
timezone = 'UTC'
log_timezone = 'UTC'
datestyle = 'iso, ymd'
default_text_search_config = 'pg_catalog.simple'
lc_messages = 'C'
# Rejected rows are expected, and their message would put customers' data into the log.
log_min_messages = log
log_checkpoints = off
`

const HOST_RULES = `# Made by Khamar on its first start; yours to change.
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
`

// Trigrams of Bengali letters need a UTF-8 locale. Systems differ in which one they have.
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8', 'C']

/** Creates the cluster in `pgData` when missing; true when created. A partial one is removed. */
export async function ensureCluster(identity: Identity, pgData: string, password: string): Promise<boolean> {
  const entries: string[] = await readdir(pgData).catch(() => [])
  if (entries.includes('PG_VERSION')) return false
  if (entries.length > 0) {
    throw new DatabaseStartError(`The folder ${pgData} is not a database; move it away or choose another DATA_DIR.`)
  }
  const draft = `${pgData}.new`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  try {
    if (identity.user) chownSync(draft, identity.user.uid, identity.user.gid)
    await initialise(identity, draft)
    await singleUser(identity, draft, [
      `create role ${ROLE} login createdb in role pg_monitor, pg_checkpoint, pg_signal_backend password '${password}'`,
      `create database ${DATABASE} owner ${ROLE}`,
    ])
    await rm(pgData, { recursive: true, force: true })
    await rename(draft, pgData)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return true
}

/** The role's password, from a file that only the shop's user can read. A missing file is created with a new password. */
export async function storedPassword(dataDir: string): Promise<{ password: string; isNew: boolean }> {
  const file = path.join(dataDir, 'database-password')
  const stored = (await readFile(file, 'utf8').catch(() => '')).trim()
  if (stored) return { password: stored, isNew: false }
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600 })
  return { password, isNew: true }
}

/** Gives the role of an existing, stopped cluster a new password. */
export async function changePassword(identity: Identity, pgData: string, password: string): Promise<void> {
  await singleUser(identity, pgData, [`alter role ${ROLE} password '${password}'`])
}

/** Gives a cluster that root created to the unprivileged user. */
export async function chownCluster(identity: Identity, pgData: string): Promise<void> {
  if (!identity.user) return
  const { uid, gid } = identity.user
  const files = await readdir(pgData, { recursive: true }).catch(() => null)
  for (const file of files ?? []) lchownSync(path.join(pgData, file), uid, gid)
  if (files) chownSync(pgData, uid, gid)
}

async function initialise(identity: Identity, pgData: string): Promise<void> {
  let output = ''
  for (const characterType of CHARACTER_TYPES) {
    const { code, text } = await run(identity, identity.binaries.initdb, pgData, [
      '--username=postgres',
      // The superuser gets no password, and so can never sign in; the rules below are in force from the first start.
      '--auth=trust',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      `--lc-ctype=${characterType}`,
      '--no-instructions',
    ])
    if (code === 0) {
      // On the disk before the folder gets its name, as initdb writes its own files.
      await writeFile(path.join(pgData, 'postgresql.conf'), CONFIG, { flush: true })
      await writeFile(path.join(pgData, 'pg_hba.conf'), HOST_RULES, { flush: true })
      return
    }
    output = text
    if (!/locale/.test(text)) break
  }
  throw explain(output, path.dirname(pgData))
}

async function singleUser(identity: Identity, pgData: string, statements: string[]): Promise<void> {
  const { command, binaries } = identity
  const { file, args, options } = command(binaries.postgres, pgData, [])
  const at = args.indexOf('-D')
  const singleArgs = [...args.slice(0, at), '--single', ...args.slice(at), '-c', 'exit_on_error=on', 'postgres']
  const { code, text } = await runProgram(file, singleArgs, options, `${statements.join('\n')}\n`)
  if (code !== 0) throw explain(text, path.dirname(pgData))
}

function run(identity: Identity, program: string, pgData: string, extra: string[]) {
  const { file, args, options } = identity.command(program, pgData, extra)
  return runProgram(file, args, options)
}

function runProgram(file: string, args: string[], options: object, input = ''): Promise<{ code: number; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, env: PROGRAM_ENV, stdio: ['pipe', 'pipe', 'pipe'] })
    let text = ''
    child.stdout?.on('data', (chunk) => (text += chunk))
    child.stderr?.on('data', (chunk) => (text += chunk))
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, text }))
  })
}
