import { devPages, type PageSource } from './assets.ts'

/** Pages with hot reload. Vite serves sources and styles on the shop's port. */
export async function startDevPages(atStop: (stop: () => Promise<void>) => void): Promise<PageSource> {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
  atStop(() => vite.close())
  return devPages(vite)
}
