// Purges the style sheet that a page carries in its document: only rules whose classes its scripts can set. Fewer bytes come before the
// first paint, and a phone matches fewer rules. PurgeCSS is not used: it also drops element and attribute selectors that only
// server-rendered markup matches (`html`, `[hidden]`, `summary`).
import postcss, { type ChildNode, type Container, type Rule } from 'postcss'
import parseSelectors, { type Node } from 'postcss-selector-parser'

/** Words of built scripts that may be class names: everything between quotes, spaces and braces of template strings. */
export function classCandidates(scripts: Iterable<string>): Set<string> {
  const words = new Set<string>()
  for (const text of scripts) for (const word of text.split(/[\s"'`{}$]+/)) words.add(word)
  return words
}

/**
 * Removes the rules whose classes are not among the words. A word that ends in `-` (from `btn-${kind}`) matches every class with that
 * prefix. Rules without a class stay; registered properties stay where a remaining rule reads them.
 */
export function purgeCss(css: string, words: ReadonlySet<string>): string {
  const prefixes = [...words].filter((word) => /^[\w-]+-$/.test(word))
  const isUsed = (name: string) => words.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
  const root = postcss.parse(css)
  root.walkComments((comment) => void comment.remove())
  purgeRules(root, isUsed)
  const purged = root.toString()
  const isRead = (property: string) => purged.includes(`var(${property})`) || purged.includes(`var(${property},`)
  root.walkAtRules('property', (rule) => {
    if (!isRead(rule.params)) rule.remove()
  })
  return root.toString()
}

function purgeRules(container: Container, isUsed: (name: string) => boolean): void {
  container.each((node) => {
    if (node.type === 'rule') {
      if (!classesBySelector(node).some((classes) => classes.every(isUsed))) node.remove()
    } else if (node.type === 'atrule' && node.nodes && /^(media|supports|layer|container)$/.test(node.name)) {
      purgeRules(node, isUsed)
      // An empty layer still declares its position among the layers.
      if (node.nodes.length === 0 && node.name !== 'layer') node.remove()
    }
  })
}

/**
 * Replaces cascade layers by their order. Browsers before Chrome 99 skip all that is in a layer, which is the whole sheet. A rule of an
 * earlier layer with more classes than one of a later layer wins after this and did not before: `:where()` around them keeps the order.
 */
export function unlayerCss(css: string): string {
  const layers = new Map<string, ChildNode[]>()
  const root = postcss.parse(css)
  root.walkAtRules('layer', (layer) => {
    for (const name of layer.params.split(/,\s*/)) layers.set(name, [...(layers.get(name) ?? []), ...(layer.nodes ?? [])])
    layer.remove()
  })
  root.prepend(...[...layers.values()].flat())
  root.each((node) => void (node.raws.before = ''))
  return root.toString()
}

/** The sheets of the pages share most selectors. */
const parsed = new Map<string, string[][]>()

/** For each selector of a rule, the classes that an element or one around it must have. */
function classesBySelector({ selector }: Rule): string[][] {
  const known = parsed.get(selector) ?? parseSelectors().astSync(selector).nodes.map(classesOf)
  parsed.set(selector, known)
  return known
}

/** Alternatives in `:is()` and `:where()`, and arguments of other pseudo-classes, require no class. */
function classesOf(node: Node): string[] {
  if (node.type === 'class') return [node.value]
  if (node.type === 'pseudo') return /^:(is|where)$/.test(node.value) && node.nodes.length === 1 ? classesOf(node.nodes[0]!) : []
  return 'nodes' in node ? node.nodes.flatMap(classesOf) : []
}
