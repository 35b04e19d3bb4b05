import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setV8Flags } from '#lib/runtime/memory.server.ts'

setV8Flags()
// Caches the compiled sources on disk: the next start is faster and does not load the type stripper.
enableCompileCache(join(import.meta.dirname, '../.cache/compile'))
await import('./start.ts')
flushCompileCache()
