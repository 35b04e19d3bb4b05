import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setV8Flags } from '#lib/runtime/memory.server.ts'

setV8Flags()
// Caches the compiled sources on disk: the next start is faster and does not load the type stripper. The folder of `npm run build --
// --out` is never written to; there NODE_COMPILE_CACHE names another place.
if (!existsSync(join(import.meta.dirname, '../build.json'))) enableCompileCache(join(import.meta.dirname, '../.cache/compile'))
await import('./start.ts')
flushCompileCache()
