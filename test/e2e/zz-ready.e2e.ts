import { expect, test } from 'vitest'
import { enter, newPhone, startOfflinePos, till } from './offline-pos.ts'
import { lastOrder, place, unlocked } from './pos-page.ts'
await startOfflinePos()
test.each([1, 4])('ready at CPU/%s', async (rate) => {
  const { page, context } = await till()
  await page.evaluate(() => {
    const w = window as any
    const real = window.fetch
    window.fetch = async (...args: any) => {
      const r = await real(...(args as [any]))
      if (String(args[0]).endsWith('/store')) w.answered = performance.now()
      return r
    }
    document.addEventListener(
      'keydown',
      (e) => {
        if (e.key === 'F9') w.pressed = e.timeStamp
      },
      true,
    )
    new MutationObserver(() => {
      if (document.querySelector('[data-last-sale]') && !w.ready && w.answered && !document.querySelector('[aria-busy]'))
        w.ready = performance.now()
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  const session = await context.newCDPSession(page)
  const times: number[] = [],
    whole: number[] = []
  for (let n = 0; n < 20; n++) {
    await enter(page, newPhone())
    await unlocked(page)
    await page.waitForTimeout(300)
    await session.send('Emulation.setCPUThrottlingRate', { rate })
    await page.evaluate(() => {
      ;(window as any).ready = 0
      ;(window as any).answered = 0
    })
    await place(page)
    await lastOrder(page)
    const [a, r, p] = await page.evaluate(() => [(window as any).answered, (window as any).ready, (window as any).pressed])
    times.push(r - a)
    whole.push(r - p)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
  times.sort((a, b) => a - b)
  whole.sort((a, b) => a - b)
  console.log(
    `CPU/${rate}: answer to ready median ${times[10]!.toFixed(0)} p95 ${times[18]!.toFixed(0)} max ${times[19]!.toFixed(0)}; F9 to ready median ${whole[10]!.toFixed(0)} p95 ${whole[18]!.toFixed(0)}`,
  )
})
