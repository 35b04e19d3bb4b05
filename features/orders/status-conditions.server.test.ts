import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type RawBuilder, sql } from 'kysely'
import { expect, it } from 'vitest'
import { isEnded } from '#features/ledger/rules.ts'
import { testDb } from '#test/db.ts'
import * as rules from './rules.ts'
import { IS_EDITABLE, IS_ENDED, IS_HANDED_OVER, IS_LIVE, IS_OPEN, IS_TO_SEND } from './status-conditions.server.ts'

const { db } = await testDb()

it.each<[string, RawBuilder<boolean>, (status: rules.OrderStatus) => boolean]>([
  ['IS_ENDED', IS_ENDED, isEnded],
  ['IS_LIVE', IS_LIVE, rules.isLive],
  ['IS_TO_SEND', IS_TO_SEND, rules.isToSend],
  ['IS_OPEN', IS_OPEN, rules.isOpen],
  ['IS_HANDED_OVER', IS_HANDED_OVER, rules.isHandedOver],
  ['IS_EDITABLE', IS_EDITABLE, rules.isEditable],
])('%s holds for the same statuses as its function', async (_name, condition, holds) => {
  const { rows } = await sql<{ status: string }>`
    select status from unnest(${[...rules.ORDER_STATUSES]}::text[]) with ordinality as o(status, n) where ${condition} order by n`.execute(
    db,
  )
  expect(rows.map(({ status }) => status)).toEqual(rules.ORDER_STATUSES.filter(holds))
})

it('an order is sent, to be sent, or ended', () => {
  const kindsOf = (status: rules.OrderStatus) => [rules.isSent(status), rules.isToSend(status), isEnded(status)].filter(Boolean)
  expect(rules.ORDER_STATUSES.map((status) => kindsOf(status).length)).toEqual(rules.ORDER_STATUSES.map(() => 1))
})

it('no other SQL lists the statuses of orders', () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const files = ['features', 'server', 'site', 'lib'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const found = files.filter((file) => {
    if (!file.endsWith('.ts') || /\.test\.ts$|\/testing\//.test(file)) return false
    return /status (not )?in \('(placed|processing|on_delivery|delivered|completed|cancelled|returned)'/.test(
      readFileSync(path.join(root, file), 'utf8'),
    )
  })
  expect(found).toEqual([])
})
