import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// Where V8 sees rows that last, as the shelf's do at the start, it takes it that all rows do, and puts those of every answer
// among the old objects, which are cleared away by going through all memory (decision 60).
setFlagsFromString('--no-allocation-site-pretenuring')

// What Node made of the sources is kept: the next start is faster, and does without the memory of the translator.
enableCompileCache(join(import.meta.dirname, '../.cache/compile'))
await import('./start.ts')
flushCompileCache()
