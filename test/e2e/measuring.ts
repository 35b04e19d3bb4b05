import type { Page } from 'playwright-core'

// Stands in for the script of the Meta Pixel: sets its cookie, and reports each event in a request of its own.
const PIXEL = `
  const report = (kind, name) => {
    if (kind === 'track') new Image().src = 'https://www.facebook.com/tr?ev=' + name
  }
  document.cookie = '_fbp=fb.1.1; path=/'
  window.fbq.callMethod = report
  for (const call of window.fbq.queue.splice(0)) report(...call)`

/**
 * Answers every request to other hosts from here: nothing leaves the machine. Returns the growing list of what they would have got: the
 * event of a pixel's report, the host of any other request.
 */
export async function interceptOthers(page: Page, shopUrl: string): Promise<string[]> {
  const sent: string[] = []
  await page.context().route(
    ({ origin }) => origin !== shopUrl,
    async (route) => {
      const url = new URL(route.request().url())
      sent.push(url.searchParams.get('ev') ?? url.host)
      if (!url.pathname.endsWith('js')) return route.fulfill({ status: 204 })
      return route.fulfill({ contentType: 'text/javascript', body: url.host === 'connect.facebook.net' ? PIXEL : '' })
    },
  )
  return sent
}
