// npm run bench -- [home|products|search|polling|orders|memory|phone|all]
import { benchOrders } from './orders.ts'
import { type Bench, openBench } from './database.ts'
import { type Finding, print } from './report.ts'

const benches: Record<string, (bench: Bench) => Promise<Finding[]>> = {
  orders: benchOrders,
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
    const found = await benches[name]?.(bench)
    print(found ?? [])
    findings.push(...(found ?? []))
  }
} finally {
  await bench.close()
}
process.exit(findings.some(({ reached }) => reached === false) ? 1 : 0)
