type File = { status: string; assertionResults: { status: string }[] }

export type Results = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: File[]
}

export function countResults(results: Results | null, exitCode: number): { passed: number; failed: number; skipped: number }
