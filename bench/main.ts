// Runs the benchmarks. Prints the machine's load beside each result: rates are comparable only on an idle machine.
// npm run bench -- [NAME … | all], with the names of `benches` below.
import { availableParallelism, loadavg } from 'node:os'
import { benchAdmin } from './admin-lists.ts'
import { benchAdminOrders } from './admin-orders.ts'
import { benchAdminOtherLists } from './admin-other-lists.ts'
import { benchBackup } from './backup.ts'
import { type Bench, openBench } from './database.ts'
import { benchFiles } from './files.ts'
import { benchHome } from './home.ts'
import { benchKurbani } from './kurbani.ts'
import { benchMemory } from './memory.ts'
import { benchOrders } from './orders.ts'
import { benchMetrics } from './metrics.ts'
import { benchPhone } from './phone.ts'
import { benchPolling } from './polling.ts'
import { benchProcesses } from './processes.ts'
import { benchProducts } from './products.ts'
import { benchReconcile } from './reconcile.ts'
import { type Finding, print } from './report.ts'
import { benchSales } from './sales.ts'
import { benchSearch } from './search.ts'
import { benchSignIn } from './sign-in.ts'
import { benchStart } from './start.ts'
import { benchPosBrowser } from './pos-browser.ts'
import { benchPosMemory } from './pos-memory.ts'
import { benchPosOpen } from './pos-open.ts'
import { benchPos } from './pos.ts'

const benches: Record<string, (bench: Bench) => Promise<Finding[]>> = {
  home: benchHome,
  products: benchProducts,
  kurbani: benchKurbani,
  search: benchSearch,
  polling: benchPolling,
  orders: benchOrders,
  admin: benchAdmin,
  'admin-orders': benchAdminOrders,
  'admin-other-lists': benchAdminOtherLists,
  memory: benchMemory,
  phone: benchPhone,
  'sign-in': benchSignIn,
  pos: benchPos,
  'pos-browser': benchPosBrowser,
  'pos-open': benchPosOpen,
  'pos-memory': benchPosMemory,
  sales: benchSales,
  backup: benchBackup,
  start: benchStart,
  processes: benchProcesses,
  metrics: benchMetrics,
  files: benchFiles,
  reconcile: benchReconcile,
}

const requested = process.argv.slice(2)
const names = requested.length === 0 || requested.includes('all') ? Object.keys(benches) : requested
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
