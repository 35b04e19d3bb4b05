import type { Page } from 'playwright-core'

/**
 * Prints the page and says on which sheet each of the marked elements came out: a link is put around the words of each, and a PDF
 * says of every sheet where it leads to.
 */
export async function sheetsOf(page: Page, marks: Record<string, string>): Promise<string[][]> {
  await page.evaluate((selectors) => {
    for (const [name, selector] of Object.entries(selectors)) {
      for (const [index, element] of [...document.querySelectorAll(selector)].entries()) {
        const link = document.createElement('a')
        link.href = `https://mark.invalid/${name}-${index + 1}`
        link.append(...element.childNodes)
        element.append(link)
      }
    }
  }, marks)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const objects = new Map([...pdf.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, number, body]) => [number, body as string]))
  return [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body)).map((body) => namesOn(body, objects))
}

function namesOn(sheet: string, objects: Map<string | undefined, string>): string[] {
  const list = /\/Annots \[([^\]]*)\]/.exec(sheet)?.[1] ?? ''
  const links = [...list.matchAll(/(\d+) 0 R/g)].map(([, number]) => objects.get(number) ?? '')
  const names = links.flatMap((link) => /mark\.invalid\/([^)]*)\)/.exec(link)?.[1] ?? [])
  return [...new Set(names)]
}
