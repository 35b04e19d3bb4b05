const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** The props that a page's mount element carries, as a browser reads them. */
export function pageProps<Props>(html: string): Props {
  const [, , attribute = ''] = /data-props=(["'])(.*?)\1/s.exec(html) ?? []
  const json = attribute.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '')
  return (JSON.parse(json) as { props: Props }).props
}
