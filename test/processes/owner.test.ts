import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runScript } from '../run-script.ts'
import { shared } from '../shared.ts'
import { Visitor } from '../visitor.ts'
import { startShop } from '../server.ts'
import { startShopProcess } from '../shop-process.ts'

await shared('pages')

/** An empty data folder for each try. */
async function newFolder(): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'khamar-owner-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  return dataDir
}

const owner = (args: string[], env: Record<string, string>, stdin = '') => runScript('scripts/owner.ts', { args, env, stdin })
const passwordIn = (output: string) => /password ([0-9A-Z-]{19}),/.exec(output)?.[1] ?? ''

test('the first owner of a shop with a database of its own, while it runs and while it does not', { timeout: 120_000 }, async () => {
  const dataDir = await newFolder()
  const env = { DATA_DIR: dataDir, DEMO: 'off' }
  const first = await owner(['--phone', '01711222333', '--name', 'Abdul Karim'], env)
  expect(first).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^There was no shop in .*: an empty one was created\.\nAbdul Karim \(01711222333\) is an owner\.\nSign in once/,
    ),
  })
  const running = await startShopProcess({ dataDir, env })
  try {
    const second = await owner(['--phone', '০১৭১১২২২৪৪৪', '--name', 'রোকেয়া', '--password-stdin'], env, 'three brown cows\n')
    expect(second).toEqual({
      code: 0,
      output: expect.stringMatching(/^রোকেয়া \(01711222444\) is an owner\.\nNext: .* follow http.*\/admin\/setup\.\n.*not open yet.*\n$/),
    })
    // The command does not know the port of the running shop.
    expect(second.output).toContain(`log in at ${running.url}/login?way=password and follow ${running.url}/admin/setup.`)
    expect((await new Visitor(running.url).signIn('01711222444', 'three brown cows')).body).toMatchObject({
      user: { role: 'owner' },
      redirect: '/admin/setup',
    })
    const browser = new Visitor(running.url)
    expect((await browser.signIn('01711222333', passwordIn(first.output))).body).toEqual({ redirect: '/code' })
    expect((await browser.post('/code', { password: 'two white goats' })).body).toMatchObject({ user: { role: 'owner' } })
    expect((await new Visitor(running.url).signIn('01711222333', passwordIn(first.output))).status).toBe(422)
  } finally {
    await running.stop()
  }
})

test('in an own database; the user with the phone becomes the owner, and all sessions end', { timeout: 60_000 }, async () => {
  const shop = await startShop()
  onTestFinished(shop.stop)
  const env = {
    DATA_DIR: shop.dataDir,
    DATABASE_URL: shop.databaseUrl,
    NODE_ENV: 'production',
    SESSION_SECRET: 'x'.repeat(32),
    PUBLIC_URL: 'https://shop.example',
  }
  const person = ['--phone', '01811000001', '--name', 'Farhana Rahman']
  expect((await owner([...person, '--password-stdin'], env, 'three brown cows')).code).toBe(0)
  const browser = new Visitor(shop.url)
  await browser.signIn('01811000001', 'three brown cows')
  const made = await owner(person, env)
  expect(made).toEqual({ code: 0, output: expect.stringMatching(/is an owner now, and logged out everywhere/) })
  expect((await browser.get('/account/security', { accept: 'text/html' })).status).toBe(303)
  expect((await new Visitor(shop.url).signIn('01811000001', 'three brown cows')).status).toBe(422)
})

test.each([
  [[], /--phone must be a mobile number/],
  [['--phone', '12345', '--name', 'X'], /--phone must be/],
  [['--phone', '01711222333'], /--name must be a name/],
  [['--phone', '01711222333', '--name', ' '], /--name must be a name/],
  [['--phone', '01711222333', '--name', 'X', '--role', 'owner'], /Unknown option/],
  [['--phone', '01711222333', '--name', 'X', '--password-stdin'], /There is no password/],
])('%j is refused in one line', async (args, line) => {
  const { output, code } = await owner(args, { DATA_DIR: await newFolder() })
  expect([code, output.trim().split('\n').length]).toEqual([1, 1])
  expect(output).toMatch(line)
})
