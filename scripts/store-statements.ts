// Part of `npm run release`: stores the SQL of the released version, which the next migrations must leave working (decision 48).
// node scripts/store-statements.ts VERSION
import { storeStatements } from './check-sql/stored-statements.ts'

const [version] = process.argv.slice(2)
if (version === undefined) throw new TypeError('Name the version: node scripts/store-statements.ts 1.2.3')
const { texts, lastMigration } = storeStatements(version)
console.log(`Stored ${texts.length} statements of ${version}, whose last migration is ${lastMigration}.`)
