// Part of `npm run check`: released migrations are as they were, and new ones are listed.
import { migrationProblems } from './schema/migration-checksums.ts'

const problems = migrationProblems()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
