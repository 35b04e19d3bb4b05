import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Browser tests that take minutes. Started last, they would end long after all others. */
const LONG = ['every-page', 'pos-entry', 'browse', 'admin-orders', 'buy', 'start'].map((name) => `/test/e2e/${name}.e2e.ts`)

/** Vitest's order, with the long browser tests first. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((end) => moduleId.endsWith(end))
      return place < 0 ? LONG.length : place
    }
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}
