// npm run seed -- [--products N] [--orders N]
import { readFlags, seed, USAGE } from '#db/seed.ts'
import { readEnv } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { openShopDatabase } from './shop/open-database.ts'
import { runNamedCommand } from './shop/run-command.ts'

async function main(args: string[]): Promise<number> {
  const counts = readFlags(args)
  const env = readEnv()
  if (env.production) throw new SettingsError('Generated products and orders are not for a shop in production.')
  const { url, close } = await openShopDatabase(env, 'migrate')
  try {
    await seed(url, counts, env.uploads)
  } finally {
    await close()
  }
  return 0
}

runNamedCommand(main, USAGE)
