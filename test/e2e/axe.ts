import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

interface Axe {
  run(options: { resultTypes: string[]; selectors: boolean; preload: { assets: string[] } }): Promise<{ violations: Violation[] }>
}

/** Every violation that axe-core finds on the page as it is now, with its elements. */
export async function complaints(page: Page): Promise<string[]> {
  // A button that was pressed before the page awoke is pale until then.
  await page.locator('[data-pressed]').first().waitFor({ state: 'detached' })
  await page.evaluate(AXE)
  const violations = await page.evaluate(async () => {
    // A button that has just been enabled still has the colors of a disabled one.
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
    const ends = Promise.allSettled(transitions.map(({ finished }) => finished))
    await Promise.race([ends, new Promise((resolve) => setTimeout(resolve, 3000))])
    // All rules run. Details of rules that pass are left out: they cost more time than the rules. So are the parsed style sheets, which
    // only css-orientation-lock reads: server/page/orientation.server.test.ts covers it for all pages at once.
    const options = { resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } }
    return (await (window as unknown as { axe: Axe }).axe.run(options)).violations
  })
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`))
}
