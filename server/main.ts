import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// What Node made of the sources is kept: the next start is faster, and does without the memory of the translator.
enableCompileCache(join(import.meta.dirname, '../.cache/compile'))
await import('./open-shop.ts')
flushCompileCache()
