// Part of `npm run check`: released migrations are as they were, new ones are listed and leave the previous version working.
import { breakingMigrations } from './schema/breaking-migrations.ts'
import { migrationProblems } from './schema/migration-checksums.ts'

const problems = [...migrationProblems(), ...breakingMigrations()]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
