import { createHash } from 'node:crypto'
import { CART_KEY, PENDING_KEY } from '#features/cart/rules.ts'

const NEVER_AHEAD = ['cart', 'login', 'logout', 'account', 'admin', 'invoice', 'order', 'api', 'uploads', 'track', 'payments', 'demo']

/** What a browser may fetch or draw ahead: pages that are the same for everybody and change nothing. */
const AHEAD = JSON.stringify({
  prefetch: [
    {
      where: { and: [{ href_matches: '/*' }, { not: { href_matches: NEVER_AHEAD.map((start) => `/${start}*`) } }] },
      eagerness: 'moderate',
    },
  ],
  prerender: [{ where: { href_matches: ['/', '/beef', '/fruits', '/kurbani', '/product/*'] }, eagerness: 'conservative' }],
})

/** What is hidden until the first paint, part by part: a section with its first cards, then its other cards. */
const FAR = '.shown-when-near,.shown-when-near .snap-x>:nth-child(n+4),.cards-when-near>:nth-child(n+5)'
const CARDS_AT_ONCE = 4

/**
 * Lets the first paint do without what is far down (`data-early` in store.css); afterwards its parts come one in a frame, for all at once would
 * keep a slow phone busy for tenths of a second. Starts the page's scripts once it has loaded and been
 * painted, or as soon as somebody touches it: text and pictures come first on a slow line; then the shop's pages may be fetched ahead.
 * The file names stand in `meta[name=start]`, so that this text, and its hash in the policy, is the same on every page.
 *
 * Until `window.pageAwake` React gets no click, input or change, so that each counts once. Links and forms with an `action` work as without
 * scripts; fields keep their content for `hydratePage`. A press on a product's button (`data-add`) is stored for the cart (`PENDING_KEY`) at
 * once, so that it outlives the page; any other button waits in `earlyPresses`. Both show it by `data-pressed`, the cart's badge by `data-count`.
 */
export const BOOTSTRAP_SCRIPT = `(()=>{let begun=0
const page=document.documentElement.dataset
page.early=''
const later=work=>requestAnimationFrame(()=>setTimeout(work))
later(()=>{const far=matchMedia('(width < 40rem)').matches?[...document.querySelectorAll(${JSON.stringify(FAR)})]:[]
for(const part of far)part.style.contentVisibility='hidden'
delete page.early
const next=()=>{if(!far[0])return
let room=far[0].localName==='li'?${CARDS_AT_ONCE}:1
do far.shift().removeAttribute('style')
while(--room&&far[0]?.localName==='li')
later(next)}
next()})
const begin=()=>{if(begun++)return
for(const name of document.querySelector('meta[name=start]').content.split(' ')){const el=document.createElement('script')
el.type='module';el.async=false;el.src=name
document.head.append(el)}
if(!location.pathname.startsWith('/admin'))(window.requestIdleCallback||setTimeout)(ahead)}
const ahead=()=>{const rules=document.createElement('script')
rules.type='speculationrules';rules.textContent=${JSON.stringify(AHEAD)}
document.head.append(rules)}
addEventListener('load',()=>{const seen=()=>later(begin)
try{new PerformanceObserver(list=>list.getEntriesByName('first-contentful-paint').length&&seen()).observe({type:'paint',buffered:true})}catch{seen()}})
setTimeout(begin,4e3)
for(const type of ['pointerdown','keydown'])addEventListener(type,begin,{once:true,capture:true,passive:true})
const add=id=>{try{let product
JSON.parse(document.getElementById('app').dataset.props,(name,part)=>part?.id==id&&part.product_type?product=part:part)
const pending=[...JSON.parse(localStorage.${PENDING_KEY}||'[]'),[performance.timeOrigin,product]]
const ids=new Set([...JSON.parse(localStorage.${CART_KEY}||'[]').map(item=>item.productId),...pending.map(item=>item[1].id)])
localStorage.${PENDING_KEY}=JSON.stringify(pending)
for(const el of document.querySelectorAll('.cart-badge'))el.dataset.count=ids.size.toLocaleString(document.documentElement.lang)
return 1}catch{}}
const presses=window.earlyPresses=[]
for(const type of ['click','input','change'])addEventListener(type,e=>{if(window.pageAwake)return
e.stopImmediatePropagation()
const el=type=='click'&&e.target.closest('button,[data-add]'),id=el&&el.dataset.add
if(!el||el.href&&(e.ctrlKey||e.metaKey||e.shiftKey)||el.type=='submit'&&el.form?.hasAttribute('action'))return
const added=id&&add(id)
if(el.href){if(!added)return
location='/cart'}
e.preventDefault()
el.dataset.pressed=''
if(!added)presses.push(el)},true)
})()`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What the policy lets pass: the start script, and the rules that it writes into the page. */
export const INLINE_HASHES = `${hashOf(BOOTSTRAP_SCRIPT)} ${hashOf(AHEAD)}`
