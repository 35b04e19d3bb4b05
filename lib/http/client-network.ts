import { isIPv6 } from 'node:net'

/**
 * The network that a rate limit counts. IPv4: the address itself. IPv6: the /64 prefix, because one customer of a provider
 * owns a whole /64 and can send each request from a new address. An IPv4 address written as IPv6 (`::ffff:1.2.3.4`) counts as
 * that IPv4 address. Text that is no address is returned unchanged.
 */
export function clientNetwork(address: string): string {
  return ipv6Prefix(address, 4)
}

/** The wider network for limits far above normal use: the /48 prefix of an IPv6 address (a provider's site), else like `clientNetwork`. */
export function clientSite(address: string): string {
  return ipv6Prefix(address, 3)
}

function ipv6Prefix(address: string, groups: number): string {
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return address
  const words = expandIpv6(bare)
  const isMappedIpv4 = words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff
  if (isMappedIpv4)
    return words
      .slice(6)
      .flatMap((word) => [word >> 8, word & 255])
      .join('.')
  return `${words
    .slice(0, groups)
    .map((word) => word.toString(16))
    .join(':')}::/${groups * 16}`
}

/** The eight 16-bit groups of an IPv6 address. The URL parser writes every notation in its canonical, compressed form. */
function expandIpv6(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail = ''] = canonical.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16)))
  const [first, last] = [read(head), read(tail)]
  return canonical.includes('::') ? [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last] : first
}
