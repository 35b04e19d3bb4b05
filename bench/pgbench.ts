import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { CONNECTIONS } from './load.ts'

const execFileAsync = promisify(execFile)
const SCALE = 20

/** The write rate of the database by `pgbench`; null where it is not installed. */
export async function openPgbench(url: string): Promise<{ rate(ms: number): Promise<number> } | null> {
  const pgbench = findPgbench()
  if (!pgbench) return null
  await execFileAsync(pgbench, ['-i', '-q', '-s', String(SCALE), url])
  return {
    async rate(ms) {
      const { stdout } = await execFileAsync(pgbench, ['-N', '-n', '-c', String(CONNECTIONS), '-j', '2', '-T', String(ms / 1000), url])
      return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    },
  }
}

/** The message where it is not installed. */
export const NO_PGBENCH = 'pgbench is not installed (Debian: apt-get install postgresql-contrib)'

function findPgbench(): string | null {
  const places = [18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`)
  return ['/usr/bin/pgbench', ...places].reverse().find((place) => existsSync(place)) ?? null
}
