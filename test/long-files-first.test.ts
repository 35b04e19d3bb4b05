import path from 'node:path'
import { expect, it } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { LongFilesFirst } from './long-files-first.ts'

const spec = (name: string, file: string) => {
  const config = { sequence: { groupOrder: 0 }, isolate: false }
  return { project: { name, config }, moduleId: path.resolve(import.meta.dirname, '..', file) } as unknown as TestSpecification
}

it('long browser tests come first, then files with a document, whatever their sizes', async () => {
  const files = ['lib/format/money.test.ts', 'components/toast.test.tsx', 'lib/format/time.test.ts', 'site/admin/denied-page.test.tsx']
  const specs = [...files.map((file) => spec('code', file)), spec('e2e', 'test/e2e/start.e2e.ts'), spec('e2e', 'test/e2e/news.e2e.ts')]
  const sequencer = new LongFilesFirst({ cache: { getTestSpecificationResult: () => undefined } } as unknown as Vitest)
  const kinds = (await sequencer.sort(specs)).map(({ moduleId }) => /(?:start|news|tsx$|\.ts$)/.exec(moduleId)?.[0])
  expect(kinds).toEqual(['start', 'tsx', 'tsx', '.ts', '.ts', 'news'])
})
