import type { FastifyInstance } from 'fastify'

/**
 * The service worker of the admin, a classic script. It shows the notifications of a device that its user has switched on [decision 64], and
 * answers no request. The POS has a worker of a narrower scope. A notification of a kind replaces the one before and adds its number, so that
 * a busy day leaves one line a kind. It is silent while an admin page is in front, which shows and plays the news itself.
 */
const WORKER = `addEventListener('install',()=>skipWaiting())
const windows=()=>clients.matchAll({type:'window',includeUncontrolled:true})
addEventListener('push',e=>e.waitUntil((async()=>{
const{kind,count,label,shop,lang,url}=e.data.json()
const[shown]=await registration.getNotifications({tag:kind})
const total=count+(shown?.data?.count||0)
const silent=(await windows()).some(w=>w.visibilityState=='visible'&&/^\\/admin(\\/|$)/.test(new URL(w.url).pathname))
await registration.showNotification(label+': '+new Intl.NumberFormat(lang+'-BD').format(total),
{body:shop,tag:kind,renotify:!silent,silent,lang,icon:'/icons/icon-192.png',data:{count:total,url}})})()))
addEventListener('notificationclick',e=>{
e.notification.close()
const url=new URL(e.notification.data.url,location.origin)
if(url.origin==location.origin)e.waitUntil((async()=>{
const open=(await windows()).find(w=>w.url==url.href)
if(!open)return clients.openWindow(url.href)
await open.focus()
await open.navigate(url.href).catch(()=>{})})())})
`

/** Serves the service worker of the admin. It contains no data of the shop and needs no session, because browsers update it without one. */
export function adminWorkerRoute(app: FastifyInstance): void {
  app.get('/admin-worker.js', { config: { static: true }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(WORKER),
  )
}
