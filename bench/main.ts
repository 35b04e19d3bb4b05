// What else the machine does stands beside every figure: rates are only worth something on a machine that rests.
// npm run bench -- [home|products|kurbani|search|polling|orders|back-admin|back-admin-orders|memory|phone|sign-in|till|sales|all]
import { availableParallelism, loadavg } from 'node:os'
import { benchBackAdmin } from './admin-lists.ts'
import { benchBackAdminOrders } from './admin-orders.ts'
import { type Bench, openBench } from './database.ts'
import { benchHome } from './home.ts'
import { benchKurbani } from './kurbani.ts'
import { benchMemory } from './memory.ts'
import { benchOrders } from './orders.ts'
import { benchPhone } from './phone.ts'
import { benchPolling } from './polling.ts'
import { benchProducts } from './products.ts'
import { type Finding, print } from './report.ts'
import { benchSales } from './sales.ts'
import { benchSearch } from './search.ts'
import { benchSignIn } from './sign-in.ts'
import { benchPos } from './till.ts'

const benches: Record<string, (bench: Bench) => Promise<Finding[]>> = {
  home: benchHome,
  products: benchProducts,
  kurbani: benchKurbani,
  search: benchSearch,
  polling: benchPolling,
  orders: benchOrders,
  'back-admin': benchBackAdmin,
  'back-admin-orders': benchBackAdminOrders,
  memory: benchMemory,
  phone: benchPhone,
  'sign-in': benchSignIn,
  till: benchPos,
  sales: benchSales,
}

const wanted = process.argv.slice(2)
const names = wanted.length === 0 || wanted.includes('all') ? Object.keys(benches) : wanted
const unknown = names.find((name) => !benches[name])
if (unknown) {
  console.error(`There is no "${unknown}"; there are: ${Object.keys(benches).join(', ')}, all.`)
  process.exit(1)
}
const bench = await openBench()
const findings: Finding[] = []
try {
  for (const name of names) {
    const load = loadavg()[0] ?? 0
    const found = await benches[name]?.(bench)
    console.log(`${name}: ${availableParallelism()} cores, load ${load.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`)
    print(found ?? [])
    findings.push(...(found ?? []))
  }
} finally {
  await bench.close()
}
process.exit(findings.some(({ reached }) => reached === false) ? 1 : 0)
