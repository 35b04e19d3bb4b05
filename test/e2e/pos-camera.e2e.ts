import { rm, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { complaints } from './axe.ts'
import { launchFullBrowser, openPage } from './browser.ts'
import { recordBarcode } from './video.ts'
import { signIn } from './sign-in.ts'
import { openPos } from './pos-page.ts'
import { startShop, type Shop } from '../server.ts'

// A phone as a scanner: its camera is shown a video of a barcode.

const CASHIER = '01711000004'
const CODE = '8900000000017'

let shop: Shop
let browser: Browser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'khamar-video-'))
  const video = path.join(folder, 'barcode.y4m')
  await recordBarcode(video, CODE)
  ;[shop, browser] = await Promise.all([
    startShop({ demo: true }),
    launchFullBrowser('--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`),
  ])
  const database = new pg.Client({ connectionString: shop.databaseUrl })
  await database.connect()
  await database.query(
    `update products set barcode = $1, sizes_milli = '{}' where id = (select id from products where not is_unique and stock_milli is null and status = 'in-stock' and visible
      order by id limit 1)`,
    [CODE],
  )
  await database.end()
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function openCashierPos(lang: Lang, permissions: string[], { worker = true } = {}) {
  const opened = await openPage(browser, { baseUrl: shop.url, width: 390, lang })
  const { page, context } = opened
  if (!worker) await context.addInitScript(() => void (navigator.serviceWorker.register = () => new Promise(() => {})))
  await context.grantPermissions(permissions, { origin: shop.url })
  await signIn(page, CASHIER)
  await openPos(page, '1000')
  return opened
}
const cameraButton = (page: Page, lang: Lang) => page.getByRole('button', { name: translate(lang)('pos.camera') })
const dialog = (page: Page) => page.getByRole('dialog')

test('a barcode before the camera is added once, while it stays there; the camera is let go at the end', async () => {
  const t = translate('en')
  const { page } = await openCashierPos('en', ['camera'])
  await cameraButton(page, 'en').click()
  await dialog(page)
    .getByText(/^Added: /)
    .waitFor()
  expect(await complaints(page)).toEqual([])
  // Many more pictures of the same code.
  await page.evaluate(() => {
    const video = document.querySelector('video') as HTMLVideoElement
    return new Promise<void>((done) => {
      const until = video.currentTime + 3
      video.addEventListener('timeupdate', () => video.currentTime > until && done())
    })
  })
  const video = await page.evaluateHandle(() => (document.querySelector('video') as HTMLVideoElement).srcObject as MediaStream)
  await dialog(page)
    .getByRole('button', { name: t('pos.camera-done') })
    .click()
  expect(await page.locator('#quick-order li input').first().inputValue()).toBe('1')
  await expect.poll(() => video.evaluate((stream) => stream.getTracks().every(({ readyState }) => readyState === 'ended'))).toBe(true)
  // Opened again, it counts again.
  await cameraButton(page, 'en').click()
  await expect.poll(() => page.locator('#quick-order li input').first().inputValue()).toBe('2')
})

test('without leave, without a camera, and where none may be asked for: said, and typing goes on', async () => {
  const { page } = await openCashierPos('bn', [])
  const t = translate('bn')
  const fails = (name: string) =>
    page.evaluate((error) => {
      navigator.mediaDevices.getUserMedia = async () => {
        throw new DOMException('', error)
      }
    }, name)
  for (const [name, key] of [
    ['NotAllowedError', 'pos.camera-denied'],
    ['NotFoundError', 'pos.camera-none'],
    ['NotReadableError', 'pos.camera-busy'],
  ] as const) {
    await fails(name)
    await cameraButton(page, 'bn').click()
    await dialog(page).getByRole('alert').getByText(t(key)).waitFor()
    if (name === 'NotAllowedError') expect(await complaints(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
  }
})

test('what reads the codes cannot be loaded: said', async () => {
  // The worker of the POS would have the reader on the device.
  const { page, context, expectProblem } = await openCashierPos('en', ['camera'], { worker: false })
  expectProblem(/barcode-reader|zxing|reader|Failed to load|ERR_FAILED/)
  await context.route('**/*.wasm', (route) => route.abort())
  await cameraButton(page, 'en').click()
  await dialog(page).getByText(translate('en')('pos.camera-reader')).waitFor()
})
