import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Words that end in s and are not counted by the one before them. */
const NOT_COUNTED = new Set(
  'accepts as changes counts devices gets has is its less logs matches needs opens sms stays theirs this was works'.split(' '),
)
/** The number is a limit or a time that is never one, or the text is shown from two on. `catalog.count` is specified. */
const NEVER_ONE = new Set([
  'address.full',
  'admin-orders.all-too-many',
  'admin-orders.all-too-many-runs',
  'admin-orders.many',
  'admin-orders.tags-full',
  'admin-orders.tags-full-orders',
  'campaigns.error.too-late',
  'campaigns.error.too-many-campaigns',
  'campaigns.left-of',
  'catalog.count',
  'customers.many',
  'door.title-many',
  'email.alarm.backup.text',
  'money.days-note',
  'news.orders',
  'pos.held.about',
  'pos.held.too-many',
  'products.count',
  'review.all',
  'setup.item.days',
  'setup.light.backup.old',
  'sms.template.too-long',
  'upload.limit',
])

type Entry = string | ((params: Record<string, string | number>) => string)

const areas = readdirSync(join(import.meta.dirname, 'en'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

test.each(areas)('a text of %s for one thing says one thing', async (file) => {
  const source = readFileSync(join(import.meta.dirname, 'en', file), 'utf8')
  const texts = Object.values(
    (await import(/* @vite-ignore */ join(import.meta.dirname, 'en', file))) as Record<string, Record<string, Entry>>,
  )
  const wrong = texts.flatMap((area) =>
    Object.entries(area).flatMap(([key, entry]) => {
      if (typeof entry === 'string' || NEVER_ONE.has(key)) return []
      const found = plurals(entry(ones(source, key)))
      return found.length > 0 ? [`${key}: ${found.join(', ')}`] : []
    }),
  )
  expect(wrong).toEqual([])
})

/** Arguments of a text: one for each of its parameters, in its type. */
function ones(source: string, key: string): Record<string, string | number> {
  const signature = new RegExp(`'${key.replaceAll('.', '\\.')}': \\(.*?: \\{([^}]*)\\}`, 's').exec(source)?.[1] ?? ''
  return Object.fromEntries(Array.from(signature.matchAll(/(\w+)\??: (number)?/g), ([, name, number]) => [name, number ? 1 : '1']))
}

function plurals(text: string): string[] {
  return Array.from(text.matchAll(/(?<![\d.,৳#-] ?)\b1 (?:(?!and|of|to|in|on|at|by|with|for)[a-z]+ )?([a-z]+s)\b/gi), ([all, noun]) => ({
    all,
    noun,
  }))
    .filter(({ noun }) => !NOT_COUNTED.has(noun!.toLowerCase()))
    .map(({ all }) => all)
}
