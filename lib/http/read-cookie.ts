/** The value of a cookie in a raw `Cookie` header, or null. The response cache reads cookies before Fastify parses them. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (!header) return null
  let from = 0
  while (from < header.length) {
    let end = header.indexOf(';', from)
    if (end < 0) end = header.length
    while (header[from] === ' ') from += 1
    if (header.startsWith(name, from) && header[from + name.length] === '=') {
      return header.slice(from + name.length + 1, end).trim()
    }
    from = end + 1
  }
  return null
}
