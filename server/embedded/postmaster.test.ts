import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Identity } from './os-user.ts'
import { startPostmaster, stopProcess } from './postmaster.ts'

it('gives a process its time to end although the clock is set meanwhile', async () => {
  const script = 'trap "sleep 0.3; exit 7" INT; echo ready; while :; do sleep 0.05; done'
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  let hours = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => ++hours * 3_600_000)
  onTestFinished(() => clock.mockRestore())
  const [ended] = await Promise.all([once(child, 'exit'), stopProcess(child.pid!)])
  expect(ended).toEqual([7, null])
})

/** Starts a shell script in the place of the server; it becomes ready by its pid file. */
async function startScript(script: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'khamar-postmaster-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const identity: Pick<Identity, 'command' | 'binaries'> = {
    binaries: { home: '', postgres: '', initdb: '' },
    command: () => ({ file: '/bin/sh', args: ['-c', `cd ${folder}; ${script}`], options: {} }),
  }
  const location = { dataDir: folder, pgData: folder, socketDir: folder, port: 1 }
  const postmaster = await startPostmaster({ user: null, ...identity }, location, { settings: {}, log: () => {}, maxSilenceMs: 1_500 })
  await postmaster.stop()
}

const READY = 'printf "%s\\n\\n\\n\\n\\n\\n\\nready\\n" $$ > postmaster.pid; exec sleep 60'

it('waits for a server whose recovery takes long, as long as its log tells of it', async () => {
  await expect(startScript(`for i in 1 2 3 4 5 6 7 8; do echo "redo in progress"; sleep 0.5; done; ${READY}`)).resolves.toBeUndefined()
})

it('gives up a server that is silent', async () => {
  await expect(startScript(`sleep 4; ${READY}`)).rejects.toThrow('did not get ready in time')
})
