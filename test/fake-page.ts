import { runInNewContext } from 'node:vm'
import { BOOTSTRAP_SCRIPT } from '#server/page/bootstrap-script.ts'

// The bootstrap script runs in a context with the few parts of a browser that it uses.

type Listener = (event: FakeEvent) => void

export class FakeElement {
  dataset: Record<string, string> = {}
  style: Record<string, string> = {}
  type = ''
  method = 'post'
  href = ''
  src = ''
  textContent = ''
  value = ''
  form: { hasAttribute(name: string): boolean } | null = null
  closest(): FakeElement | null {
    return this
  }
  getAttribute(name: 'method') {
    return this[name]
  }
}

export class FakeEvent {
  ctrlKey = false
  metaKey = false
  shiftKey = false
  altKey = false
  key = ''
  timeStamp = 0
  persisted = false
  isPrevented = false
  isStopped = false
  readonly type: string
  readonly target: FakeElement
  constructor(type: string, target: FakeElement) {
    this.type = type
    this.target = target
  }
  preventDefault() {
    this.isPrevented = true
  }
  stopImmediatePropagation() {
    this.isStopped = true
  }
}

export interface FakePage {
  window: { earlyPresses: FakeElement[]; earlyScans: [string, number][]; pageAwake?: boolean; location: unknown }
  /** The scan box of the POS, and the element with the focus. */
  box: FakeElement
  /** While it loads, the box may not be there yet. */
  readState(state: 'loading' | 'interactive', hasBox: boolean): void
  focused(): FakeElement
  scripts: FakeElement[]
  badge: FakeElement
  storage: Record<string, string>
  root: FakeElement
  dispatch(type: string, target: FakeElement, keys?: Partial<FakeEvent>): FakeEvent
  runFrames(): void
}

/** A product of the page's props. */
export const PRODUCT = { id: 7, product_type: 'Honey', price: 450 }

/** A page whose bootstrap script has run. `session` is its sessionStorage, which a page loaded again has as well. */
export function openPage(
  path = '/fruits',
  { session = {}, timeOrigin = 1000 }: { session?: Record<string, string>; timeOrigin?: number } = {},
): FakePage {
  const listeners = new Map<string, Listener[]>()
  const frames: (() => void)[] = []
  const scripts: FakeElement[] = []
  const [root, badge, box] = [new FakeElement(), new FakeElement(), new FakeElement()]
  const storage: Record<string, string> = {}
  let hasBox = path === '/admin/quick-orders'
  const mount = new FakeElement()
  mount.dataset.props = JSON.stringify({ props: { listing: { products: [{ id: 6, product_type: 'Mango' }, PRODUCT] } } })
  const document = {
    documentElement: Object.assign(root, { lang: 'en' }),
    querySelector: () => ({ content: '/assets/react.js /assets/page.js' }),
    querySelectorAll: (selector: string) => (selector === '.cart-badge' ? [badge] : []),
    getElementById: (id: string) => (id === 'app' ? mount : hasBox ? box : null),
    readyState: 'interactive',
    body: new FakeElement(),
    activeElement: null as FakeElement | null,
    createElement: () => new FakeElement(),
    head: { append: (element: FakeElement) => scripts.push(element) },
  }
  document.activeElement = document.body
  Object.assign(box, { focus: () => (document.activeElement = box) })
  const window = {
    document,
    localStorage: storage,
    location: { pathname: path } as unknown,
    sessionStorage: session,
    performance: { timeOrigin },
    requestAnimationFrame: (run: () => void) => frames.push(run),
    requestIdleCallback: (run: () => void) => frames.push(run),
    setTimeout: (run: () => void, delay = 0) => (delay === 0 ? frames.push(run) : 0),
    matchMedia: () => ({ matches: false }),
    addEventListener: (type: string, listener: Listener) => listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    PerformanceObserver: class {
      observe() {}
    },
    earlyPresses: [] as FakeElement[],
    earlyScans: [] as [string, number][],
  }
  const context = Object.assign(window, { window })
  runInNewContext(BOOTSTRAP_SCRIPT, context)
  return {
    window: context,
    box,
    readState(state, isBoxRead) {
      document.readyState = state
      hasBox = isBoxRead
    },
    focused: () => document.activeElement!,
    scripts,
    badge,
    storage,
    root,
    dispatch(type, target, keys = {}) {
      const event = Object.assign(new FakeEvent(type, target), keys)
      for (const listener of listeners.get(type) ?? []) listener(event)
      return event
    },
    runFrames() {
      while (frames.length > 0) frames.shift()!()
    },
  }
}
