import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const LOOPBACK = ['127.0.0.0/8', '::1']

/** Whether a part of TRUST_PROXY is `loopback`, an address, or a range such as `10.0.0.0/8`. A range of all addresses would trust visitors. */
export function isProxyRange(part: string): boolean {
  if (part === 'loopback') return true
  const [address = '', bits, ...more] = part.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
}

/** A test whether a request comes straight from one of the proxies of TRUST_PROXY (addresses, `10.0.0.0/8`, `loopback`). */
export function trustedProxies(setting: string | null): (req: IncomingMessage) => boolean {
  if (setting === null) return () => false
  const list = new BlockList()
  const parts = setting.split(',').map((part) => part.trim())
  for (const part of parts.flatMap((one) => (one === 'loopback' ? LOOPBACK : [one]))) {
    const [address = '', bits] = part.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (isIP(address) === 0) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return ({ socket }) => {
    // A dual-stack socket shows IPv4 clients as ::ffff:127.0.0.1.
    const address = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? ''
    return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}
