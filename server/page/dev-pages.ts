import { devPages, type PageSource } from './assets.ts'

/** PageRenderer with hot reload; Vite answers for sources and styles on the shop's own port. */
export async function startDevPages(atStop: (stop: () => Promise<void>) => void): Promise<PageSource> {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
  atStop(() => vite.close())
  return devPages(vite)
}
