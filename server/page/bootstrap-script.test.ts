import { beforeEach, describe, expect, it } from 'vitest'
import { CART_KEY, PENDING_KEY } from '#features/cart/rules.ts'
import { FakeElement, type FakeEvent, type FakePage, openPage, PRODUCT } from '../../test/fake-page.ts'
import { INLINE_HASHES } from './bootstrap-script.ts'

let page: FakePage
beforeEach(() => void (page = openPage()))

const pending = () => JSON.parse(page.storage[PENDING_KEY] ?? '[]') as [number, typeof PRODUCT][]

describe('presses before hydration', () => {
  it('queues buttons in order, marks them, and keeps the click from React', () => {
    const [first, second] = [new FakeElement(), new FakeElement()]
    const events = [page.dispatch('click', first), page.dispatch('click', second)]
    expect(page.window.earlyPresses).toEqual([first, second])
    expect(events.map(({ isPrevented, isStopped }) => [isPrevented, isStopped])).toEqual([
      [true, true],
      [true, true],
    ])
    expect(first.dataset).toEqual({ pressed: '' })
  })

  it('stores a product of an add button at once instead of queueing the press, and counts it in the badge', () => {
    const button = new FakeElement()
    button.dataset.add = '7'
    page.dispatch('click', button)
    page.dispatch('click', button)
    expect(pending()).toEqual([
      [1000, PRODUCT],
      [1000, PRODUCT],
    ])
    expect(page.window.earlyPresses).toEqual([])
    expect(page.badge.dataset.count).toBe('1')
  })

  it('adds the products of the stored cart to the count', () => {
    page.storage[CART_KEY] = JSON.stringify([{ productId: 3 }, { productId: 7 }])
    const button = new FakeElement()
    button.dataset.add = '7'
    page.dispatch('click', button)
    expect(page.badge.dataset.count).toBe('2')
  })

  it('follows an add link to the cart once the product is stored', () => {
    const link = Object.assign(new FakeElement(), { href: '/cart' })
    link.dataset.add = '7'
    expect(page.dispatch('click', link).isPrevented).toBe(true)
    expect(page.window.location).toBe('/cart')
  })

  it('lets an add link work as a link when the storage is damaged', () => {
    page.storage[PENDING_KEY] = '{'
    const link = Object.assign(new FakeElement(), { href: '/cart' })
    link.dataset.add = '7'
    expect(page.dispatch('click', link).isPrevented).toBe(false)
  })

  it('leaves a link that opens a new tab and the submit button of a form with an action to the browser', () => {
    const link = Object.assign(new FakeElement(), { href: '/cart' })
    link.dataset.add = '7'
    const submit = Object.assign(new FakeElement(), { type: 'submit', form: { hasAttribute: () => true } })
    const events = [page.dispatch('click', link, { ctrlKey: true }), page.dispatch('click', submit)]
    expect(events.map(({ isPrevented }) => isPrevented)).toEqual([false, false])
    expect(page.window.earlyPresses).toEqual([])
  })

  it('lets everything through after hydration', () => {
    page.window.pageAwake = true
    const event = page.dispatch('click', new FakeElement())
    expect([event.isPrevented, event.isStopped]).toEqual([false, false])
    expect(page.window.earlyPresses).toEqual([])
  })
})

describe('forms', () => {
  it('are sent once by one button, until the page is left', () => {
    const [form, search] = [new FakeElement(), Object.assign(new FakeElement(), { method: 'get' })]
    const isStopped = (target: FakeElement, keys: object = {}) => page.dispatch('submit', target, keys).isPrevented
    // A form that a script sends is the script's.
    expect(isStopped(form, { defaultPrevented: true })).toBe(false)
    expect([isStopped(form), isStopped(form), isStopped(search), isStopped(search)]).toEqual([false, true, false, false])
    page.dispatch('pagehide', form)
    expect(isStopped(form)).toBe(false)
  })
})

describe('input before hydration', () => {
  it.each(['input', 'change'])('keeps %s events from React without cancelling them, so that fields keep their content', (type) => {
    const event = page.dispatch(type, new FakeElement())
    expect([event.isStopped, event.isPrevented]).toEqual([true, false])
    expect(page.window.earlyPresses).toEqual([])
  })
})

describe('scans before hydration', () => {
  beforeEach(() => void (page = openPage('/admin/quick-orders')))

  /** A key as a browser handles it: it goes to the element that has the focus after the listeners. */
  function press(key: string, timeStamp: number, more: Partial<FakeEvent> = {}) {
    const event = page.dispatch('keydown', page.focused(), { key, timeStamp, ...more })
    if (key.length === 1 && !event.isPrevented) page.focused().value += key
  }

  it('go to the scan box, and wait with their times', () => {
    for (const [at, key] of [...'890', 'Enter', ...'77', 'Enter', ...'12'].entries()) press(key, at)
    expect(page.window.earlyScans).toEqual([
      ['890', 3],
      ['77', 6],
    ])
    // The rest of a scan that hydration interrupts stays in the box.
    expect(page.box.value).toBe('12')
  })

  it('are collected before the browser has read the box', () => {
    page.readState('loading', false)
    for (const [at, key] of [...'890', 'Enter', ...'77'].entries()) press(key, at)
    page.readState('interactive', true)
    for (const [at, key] of ['1', 'Enter', '5'].entries()) press(key, at + 6)
    expect(page.window.earlyScans).toEqual([
      ['890', 3],
      ['771', 7],
    ])
    expect(page.box.value).toBe('5')
  })

  it('keeps shortcuts, spaces and an empty Enter out of the box', () => {
    press('r', 1, { ctrlKey: true })
    press(' ', 2)
    press('F4', 3)
    expect(page.focused()).not.toBe(page.box)
    press('8', 4)
    page.box.value = ''
    press('Enter', 5)
    expect(page.window.earlyScans).toEqual([])
  })

  it('ends with hydration, and begins on no other page', () => {
    page.window.pageAwake = true
    press('8', 1)
    press('Enter', 2)
    expect(page.window.earlyScans).toEqual([])
    page = openPage('/')
    press('8', 1)
    expect(page.focused()).not.toBe(page.box)
  })

  it('wait while the page is loaded again, for a minute and at the same page', () => {
    const session = {}
    const open = (timeOrigin: number, path = '/admin/quick-orders') => void (page = openPage(path, { session, timeOrigin }))
    const leave = (persisted = false) => page.dispatch('pagehide', new FakeElement(), { persisted })
    open(0)
    for (const [at, key] of [...'890', 'Enter'].entries()) press(key, at)
    leave()
    open(59_000, '/admin/quick-orders/return')
    expect(page.window.earlyScans).toEqual([])
    leave()
    open(60_002)
    expect(page.window.earlyScans).toEqual([['890', 3 - 60_002]])
    // The page itself comes back with them.
    leave(true)
    open(60_002)
    expect(page.window.earlyScans).toEqual([])
    for (const [at, key] of [...'890', 'Enter'].entries()) press(key, at)
    leave()
    open(120_005)
    expect(page.window.earlyScans).toEqual([])
  })
})

describe('loading', () => {
  it('loads the scripts of the page in order on the first touch, once', () => {
    page.dispatch('pointerdown', new FakeElement())
    page.dispatch('keydown', new FakeElement())
    expect(page.scripts.map(({ src }) => src)).toEqual(['/assets/react.js', '/assets/page.js'])
  })

  it('adds speculation rules in the storefront, not in the admin', () => {
    page.dispatch('keydown', new FakeElement())
    page.runFrames()
    expect(page.scripts.at(-1)?.type).toBe('speculationrules')
    expect(JSON.parse(page.scripts.at(-1)!.textContent)).toHaveProperty('prefetch')
    const admin = openPage('/admin/orders')
    admin.dispatch('keydown', new FakeElement())
    admin.runFrames()
    expect(admin.scripts.map(({ type }) => type)).toEqual(['module', 'module'])
  })

  it('marks the document until the first paint', () => {
    expect(page.root.dataset.early).toBe('')
    page.runFrames()
    expect(page.root.dataset).not.toHaveProperty('early')
  })

  it('has a hash for itself and for the rules', () => {
    expect(INLINE_HASHES.split(' ')).toHaveLength(2)
  })
})
