import { createHash } from 'node:crypto'
import { CART_KEY, PENDING_KEY } from '#features/cart/rules.ts'

const NO_PREFETCH_PATHS = ['cart', 'login', 'logout', 'account', 'admin', 'invoice', 'order', 'api', 'uploads', 'track', 'payments', 'demo']

/** Pages that a browser may prefetch or prerender: public ones without side effects. */
const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: '/*' }, { not: { href_matches: NO_PREFETCH_PATHS.map((start) => `/${start}*`) } }] },
      eagerness: 'moderate',
    },
  ],
  prerender: [{ where: { href_matches: ['/', '/beef', '/fruits', '/kurbani', '/product/*'] }, eagerness: 'conservative' }],
})

/** Sections and cards that are not laid out before the first paint. */
const LAZY_PARTS = '.lazy-section,.lazy-section .snap-x>:nth-child(n+4),.lazy-cards>:nth-child(n+5)'
const CARDS_PER_FRAME = 4
/** After this time a form without an answer can be sent again. */
const SENDING_MS = 15_000
/** The second touch of a double tap comes within this time and this distance. */
const DOUBLE_TAP_MS = 400
const DOUBLE_TAP_PIXELS = 20
/** A page whose scripts did not load is loaded again after this time. */
const RELOAD_MS = 3000
/** sessionStorage: begins the name of a page's early scans; its path ends it. */
const EARLY_SCANS_KEY = 'khamar.pos.scans:'
/** Early scans of a page that was loaded again count for this long. */
const EARLY_SCANS_MS = 60_000

/**
 * Hides far sections until the first paint (`data-early` in store.css) and shows them one a frame afterwards: laying out all of them
 * blocks a slow phone for tenths of a second. Loads the page's scripts after the first paint or on the first touch, then allows
 * prefetching, and registers the worker of the offline page five seconds later. The file names are in `meta[name=start]`, so that this text and its hash are the same on every page.
 *
 * Until `window.pageAwake` (set by hydration) React receives no click, input or change event. Links and forms with an `action` work as
 * without scripts; fields hold their content for `hydratePage`. A press on an add button (`data-add`, `data-milli` for a pack) is
 * stored for the cart (`PENDING_KEY`) and survives leaving the page. Other presses wait in `earlyPresses`. `data-pressed` and the badge's `data-count` show both.
 * A second press that sends the same form again is ignored while the first one is on its way: it would end the first, whose answer signs in or
 * whose code is already sent by SMS.
 * `data-scripts` on the document says that scripts run: without it `needs-script` is hidden and `without-script` shown (store.css).
 * Browsers before Chrome 93 and Safari 15.4, which the page's scripts cannot run in, get the page as without scripts. So does a page whose
 * scripts did not load, or whose rendering failed and left nothing, twice: the first time it is loaded again. `window.name` tells, as some
 * browsers refuse storage. A page with a missing script is not hydrated: it would show the keys of missing texts.
 * In the shop the second touch of a double tap counts for the button that the first one pressed, not for one that has taken its place: a
 * pack that was added would be removed again or become more, and the product below a removed one would go with it. Large buttons lead from
 * step to step and always count.
 * A press on `data-closes` hides that notice, now and on later pages (`closedNotices`).
 * At the POS, keys outside of all fields go to the scan box, also those pressed before the browser has read the box (`unplaced`), and
 * codes that end with Enter wait in `earlyScans` with their time, also while the page is loaded again.
 */
export const BOOTSTRAP_SCRIPT = `(()=>{if(!Object.hasOwn||window.name=='plain'){window.name=''
return}
let begun=0,failed,props
const page=document.documentElement.dataset
page.scripts=page.early=''
const closed=new Set()
const hide=id=>{closed.add(id)
try{const rules=new CSSStyleSheet
rules.replaceSync('[data-notice="'+id+'"]{display:none!important}[data-notice="'+id+'"]+.notice{display:flex}')
document.adoptedStyleSheets=[...document.adoptedStyleSheets,rules]}catch{}}
try{localStorage.closedNotices.split(' ').forEach(hide)}catch{}
const later=work=>requestAnimationFrame(()=>setTimeout(work))
later(()=>{const far=matchMedia('(width < 40rem)').matches?[...document.querySelectorAll(${JSON.stringify(LAZY_PARTS)})]:[]
for(const part of far)part.style.contentVisibility='hidden'
delete page.early
const next=()=>{if(!far[0])return
let room=far[0].localName==='li'?${CARDS_PER_FRAME}:1
do far.shift().removeAttribute('style')
while(--room&&far[0]?.localName==='li')
later(next)}
next()})
const app=()=>document.getElementById('app')
const reload=()=>navigator.onLine?location.reload():addEventListener('online',reload)
const fail=isEmpty=>{if(failed)return
failed=props=app().dataset.props
delete app().dataset.props
const isFirst=window.name!=location.pathname
window.name=isFirst?location.pathname:isEmpty?'plain':''
if(isFirst||isEmpty)return setTimeout(reload,isEmpty?0:${RELOAD_MS})
delete page.scripts
window.pageAwake=true}
addEventListener('error',()=>later(()=>app().firstChild||fail(1)))
const begin=()=>{if(begun++)return
for(const name of document.querySelector('meta[name=start]').content.split(' ')){const el=document.createElement('script')
el.type='module';el.async=false;el.onerror=()=>fail();el.src=name
document.head.append(el)}
if(!location.pathname.startsWith('/admin'))(window.requestIdleCallback||setTimeout)(ahead)}
const ahead=()=>{const rules=document.createElement('script')
rules.type='speculationrules';rules.textContent=${JSON.stringify(SPECULATION_RULES)}
document.head.append(rules)
setTimeout(async()=>{try{await navigator.serviceWorker.register('/shop-worker.js')}catch{}},5e3)}
addEventListener('load',()=>{const seen=()=>later(begin)
try{new PerformanceObserver(list=>list.getEntriesByName('first-contentful-paint').length&&seen()).observe({type:'paint',buffered:true})}catch{seen()}})
setTimeout(begin,4e3)
for(const type of ['pointerdown','keydown'])addEventListener(type,begin,{once:true,capture:true,passive:true})
const add=(id,milli)=>{try{let product
JSON.parse(props||app().dataset.props,(name,part)=>part?.id==id&&part.product_type?product=part:part)
const pending=[...JSON.parse(localStorage.${PENDING_KEY}||'[]'),[performance.timeOrigin,product].concat(milli||[])]
const ids=new Set([...JSON.parse(localStorage.${CART_KEY}||'[]').map(item=>item.productId),...pending.map(item=>item[1].id)])
localStorage.${PENDING_KEY}=JSON.stringify(pending)
for(const el of document.querySelectorAll('.cart-badge'))el.dataset.count=ids.size.toLocaleString(document.documentElement.lang)
return 1}catch{}}
const presses=window.earlyPresses=[]
let last={}
const isGone=el=>!el.getClientRects()[0]||getComputedStyle(el).visibility=='hidden'
const isSecond=e=>{const before=last,by=e.target.closest('main button:not(.btn-large)')
last={by,at:e.timeStamp,x:e.clientX,y:e.clientY}
return by&&e.detail&&before.by&&last.at-before.at<${DOUBLE_TAP_MS}&&Math.hypot(last.x-before.x,last.y-before.y)<${DOUBLE_TAP_PIXELS}&&isGone(before.by)}
for(const type of ['click','input','change'])addEventListener(type,e=>{if(type=='click'&&isSecond(e)&&!location.pathname.startsWith('/admin')){e.preventDefault()
return e.stopImmediatePropagation()}
const shut=type=='click'&&e.target.closest('[data-closes]')
if(shut){hide(shut.dataset.closes)
try{localStorage.closedNotices=[...closed].slice(-9).join(' ')}catch{}}
if(window.pageAwake)return
e.stopImmediatePropagation()
const el=type=='click'&&e.target.closest('button,[data-add]'),id=el&&el.dataset.add
if(!el||el.href&&(e.ctrlKey||e.metaKey||e.shiftKey)||el.type=='submit'&&el.form?.hasAttribute('action'))return
const added=id&&add(id,+el.dataset.milli)
if(el.href){if(!added)return
location='/cart'}
e.preventDefault()
el.dataset.pressed=''
if(!added)presses.push(el)},true)
let sender
addEventListener('submit',e=>{const by=e.submitter||e.target
if(e.defaultPrevented||e.target.getAttribute('method')!='post')return
if(by==sender)return e.preventDefault()
sender=by
setTimeout(()=>sender=0,${SENDING_MS})})
const scans=window.earlyScans=[],scansKey='${EARLY_SCANS_KEY}'+location.pathname,origin=performance.timeOrigin
if(/quick-orders/.test(scansKey))try{for(const [code,at] of JSON.parse(sessionStorage[scansKey]||'[]'))if(at>origin-${EARLY_SCANS_MS})scans.push([code,at-origin])
delete sessionStorage[scansKey]}catch{}
addEventListener('pagehide',e=>{sender=0
if(scans[0]&&!e.persisted)try{sessionStorage[scansKey]=JSON.stringify(scans.map(([code,at])=>[code,origin+at]))}catch{}})
let unplaced=''
addEventListener('keydown',e=>{if(window.pageAwake||e.ctrlKey||e.altKey||e.metaKey)return
const box=document.getElementById('pos-search')
if(!box){if(/quick-orders$/.test(location.pathname)&&document.readyState=='loading'){if(e.key.length<2)unplaced+=e.key
else if(e.key=='Enter'&&unplaced){scans.push([unplaced,e.timeStamp])
unplaced=''}}
return}
if(unplaced){box.focus()
box.value=unplaced+box.value
unplaced=''}
const at=document.activeElement
if(at!=box){if(at!=document.body||e.key.length>1||e.key==' ')return
box.focus()}
if(e.key!='Enter')return
e.preventDefault()
if(box.value)scans.push([box.value,e.timeStamp])
box.value=''},true)
})()`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Hashes for the content security policy: the bootstrap script and the speculation rules that it adds. */
export const INLINE_HASHES = `${hashOf(BOOTSTRAP_SCRIPT)} ${hashOf(SPECULATION_RULES)}`
