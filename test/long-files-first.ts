import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Browser tests that take minutes. Started last, they would end long after all others. */
const LONG = ['every-page', 'pos-entry', 'browse', 'admin-orders', 'buy', 'start'].map((name) => `/test/e2e/${name}.e2e.ts`)

const DOCUMENT = /^\/\/ @vitest-environment happy-dom$/m

/**
 * Vitest's order, with the long browser tests first, then the files that need a document. Vitest ends a worker, and with it all modules that
 * are loaded, when the next file of the queue has another environment: files of one environment follow each other.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((end) => moduleId.endsWith(end))
      if (place >= 0) return place
      return DOCUMENT.test(readFileSync(moduleId, 'utf8')) ? LONG.length : LONG.length + 1
    }
    const ranks = new Map(sorted.map((file) => [file, rank(file)]))
    return sorted.toSorted((one, other) => ranks.get(one)! - ranks.get(other)!)
  }
}
