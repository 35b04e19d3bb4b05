// Plain JavaScript: Node loads its TypeScript compiler (15 MB) for the first .ts file that is not in the compile cache, and the cache is
// on only after these lines.
import { existsSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Caches the compiled sources on disk. The folder of `npm run build -- --out` is never written to; there NODE_COMPILE_CACHE names another
// place.
if (!existsSync(join(import.meta.dirname, '../build.json'))) enableCompileCache(join(import.meta.dirname, '../.cache/compile'))
const { setV8Flags } = await import('#lib/runtime/memory.server.ts')
setV8Flags()
await import('./start.ts')
flushCompileCache()
