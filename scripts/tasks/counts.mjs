/**
 * The totals of a run of Vitest, from its JSON report (null when there is none) and its exit code. A file that did not
 * load, an error outside every test, and a run that broke off count as failed too: nothing passes without running.
 */
export function countResults(results, exitCode) {
  if (!results) return { passed: 0, failed: 1, skipped: 0 }
  const broken = results.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((assertion) => assertion.status === 'failed'),
  )
  const failed = results.numFailedTests + broken.length
  const nothingRan = results.numPassedTests === 0
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && (exitCode !== 0 || nothingRan) ? 1 : failed,
    skipped: results.numPendingTests + results.numTodoTests,
  }
}
