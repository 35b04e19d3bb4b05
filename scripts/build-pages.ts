// Builds the browser's files (client/) and the server's renderer (server/) into the folder PAGES_DIR, by default dist/.
import { join } from 'node:path'
import { build } from 'vite'
import { precompress } from './precompress.ts'

const assets = join(process.env.PAGES_DIR ?? 'dist', 'client/assets')
const seen = new Set<string>()

process.env.NODE_ENV = 'production'
await build({ logLevel: 'warn' })
// Compression takes longer than the builds and runs in threads beside them.
const shop = precompress(assets, seen)
// A build of its own: chunks shared with the admin would split the shop's scripts into more and larger files.
process.env.PAGES_OF = 'admin'
await build({ logLevel: 'warn' })
const admin = precompress(assets, seen)
await build({ logLevel: 'warn', build: { ssr: 'site/pages.server.tsx' } })
await Promise.all([shop, admin])
