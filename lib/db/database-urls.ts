const PARTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s

/** The URL once for each of its hosts: `postgresql://user@a:5432,b:5432/khamar`. */
export function urlsOfHosts(url: string): string[] {
  const [, head, hosts, tail] = PARTS.exec(url) ?? []
  if (!hosts?.includes(',')) return [url]
  return hosts.split(',').map((host) => `${head}${host}${tail}`)
}
