// Builds what the browser gets (client/) and what the server renders pages with (server/) into the folder PAGES_DIR, or dist/.
import { build } from 'vite'

process.env.NODE_ENV = 'production'
await build({ logLevel: 'warn' })
// On its own: files shared with the admin would cut the shop's into more and larger pieces.
process.env.PAGES_OF = 'admin'
await build({ logLevel: 'warn' })
await build({ logLevel: 'warn', build: { ssr: 'site/pages.server.tsx' } })
