import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

interface Axe {
  run(options: { resultTypes: string[]; selectors: boolean }): Promise<{ violations: Violation[] }>
}

/** Every violation that axe-core finds on the page as it is now, with its elements. */
export async function complaints(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    // All rules run. Details of rules that pass are left out: they cost more time than the rules.
    const options = { resultTypes: ['violations'], selectors: false }
    return (await (window as unknown as { axe: Axe }).axe.run(options)).violations
  })
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`))
}
