import { config } from 'zod'

// Zod tries `new Function` to compile schemas. The pages' content security policy forbids it, and Firefox reports each try as an error of the
// page. Set before the first schema is made.
config({ jitless: true })
