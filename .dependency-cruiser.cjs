// Which folder may import which (docs/architecture.md). scripts/check-dependencies.ts runs this on the project and on a fixture that must fail.

const { readdirSync } = require('node:fs')

const TEST = '\\.(test|e2e)\\.tsx?$|^test/|/testing/|/test-data/'

/** The features, or files of one, that each feature may import besides `audit` and `settings`. */
const FEATURES = {
  audit: [],
  backup: ['messaging/link-keys[.]ts', 'messaging/masked-body[.]server[.]ts'],
  jobs: [],
  // The status conditions import nothing of stock.
  stock: ['orders/status-conditions[.]server[.]ts'],
  ledger: [],
  settings: [],
  // The status conditions import nothing of messages.
  messaging: ['orders/status-conditions[.]server[.]ts'],
  catalog: ['stock', 'orders/status-conditions[.]server[.]ts'],
  'stock-takes': ['catalog', 'stock', 'orders/(delivery-dates|status-conditions|returns/sold-order)[.]server[.]ts'],
  email: ['orders', 'backup', 'jobs'],
  // The condition of new pre-bookings.
  news: ['auth', 'orders/pre-booked[.]server[.]ts'],
  feeds: ['catalog'],
  search: ['catalog'],
  payments: ['messaging', 'catalog', 'stock', 'ledger'],
  // Failed coupon codes share the rate limits of failed logins. The conditions import nothing of pricing.
  pricing: ['catalog', 'auth', 'orders/status-conditions[.]server[.]ts'],
  cart: ['catalog', 'pricing'],
  // The token imports nothing of auth.
  auth: ['messaging', 'orders/order-access-token[.]server[.]ts'],
  // None of them imports anything of customers.
  customers: ['auth', 'messaging', 'orders/(status-conditions|order-access-token)[.]server[.]ts', 'orders/status/own-cancel-rules[.]ts'],
  'area-requests': ['auth'],
  'product-waits': ['auth', 'catalog', 'messaging', 'orders/status-conditions[.]server[.]ts'],
  orders: [
    'messaging',
    'payments',
    'catalog',
    'auth',
    'customers',
    'pricing',
    'cart',
    'stock',
    'ledger',
    'cattle/rules[.]ts',
    'pos/drawer[.]server[.]ts',
  ],
  reviews: ['auth', 'catalog', 'orders'],
  analytics: ['orders'],
  delivery: ['catalog', 'orders', 'messaging', 'pos/shift-queries[.]server[.]ts'],
  campaigns: ['auth', 'customers', 'messaging'],
  'bulk-orders': ['orders', 'delivery', 'auth'],
  cattle: ['catalog', 'orders', 'messaging', 'ledger', 'payments/commands/mark-animals-sold[.]server[.]ts'],
  setup: ['auth', 'backup', 'catalog', 'jobs', 'messaging', 'payments', 'orders/status-conditions[.]server[.]ts'],
  // The condition knows nothing of pre-bookings but their table.
  kurbani: ['catalog', 'search', 'auth', 'orders/pre-booked[.]server[.]ts', 'orders/rules[.]ts'],
  pos: ['catalog', 'pricing', 'payments', 'orders', 'auth', 'stock', 'ledger', 'customers/account-state[.]server[.]ts'],
  'admin-search': ['search', 'customers', 'orders'],
  reconciliation: ['ledger', 'orders/advances/transaction-id-rules[.]ts'],
  reports: ['auth', 'ledger', 'catalog', 'orders', 'customers', 'cattle', 'kurbani', 'pos', 'payments', 'messaging'],
}

// A folder without an entry would import what it likes.
const unnamed = readdirSync(`${__dirname}/features`).filter((name) => !name.includes('.') && !(name in FEATURES))
if (unnamed.length > 0) throw new Error(`Name what these features may import: ${unnamed.join(', ')}.`)

const layers = [
  { name: 'lib-knows-no-shop', from: '^(lib|messages)/', to: '^(page|components|features|site|server|db|dev)/' },
  { name: 'page-knows-no-shop', from: '^page/', to: '^(components|features|site|server|db|dev)/' },
  { name: 'components-know-no-shop', from: '^components/', to: '^(features|site|server|db|dev)/' },
  { name: 'features-know-no-page', from: '^features/', to: '^(site|server|db|dev)/' },
  { name: 'site-knows-no-server', from: '^site/', to: '^(server|db|dev)/' },
]

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'No circular imports, except of types.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'nothing-missing',
      comment: 'Every import resolves.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(virtual:|/site/)|[?]url$' },
    },
    {
      name: 'no-tests-in-the-shop',
      comment: 'Production code does not import tests.',
      severity: 'error',
      from: { pathNot: `${TEST}|^bench/|^vitest\\.config|^scripts/` },
      to: { path: '\\.(test|e2e)\\.tsx?$|^test/' },
    },
    ...layers.map(({ name, from, to }) => ({
      name,
      comment: 'lib ← page ← components ← features ← site ← server.',
      severity: 'error',
      from: { path: from, pathNot: TEST },
      // The generated types of the tables import lib, and the types of JSON columns.
      to: { path: to, pathNot: '^db/types\\.ts$' },
    })),
    ...Object.entries(FEATURES).map(([feature, others]) => ({
      name: `feature-${feature}`,
      comment: `${feature} may import ${others.join(', ') || 'no other feature'}.`,
      severity: 'error',
      // ui/ is exempt: the product card of the catalog shows the button of the cart.
      from: { path: `^features/${feature}/`, pathNot: `${TEST}|^features/[^/]+/ui/` },
      to: { path: '^features/', pathNot: `^features/(${[feature, 'audit', 'settings', ...others].join('|')})(/|$)` },
    })),
    {
      name: 'order-batching-has-one-door',
      comment: 'Outside of features/orders/batching only insert-orders.server.ts is imported.',
      severity: 'error',
      from: { pathNot: '^features/orders/batching/' },
      to: { path: '^features/orders/batching/', pathNot: '^features/orders/batching/insert-orders[.]server[.]ts$' },
    },
    {
      name: 'rules-are-pure',
      comment: 'Rules import only rules, types and lib.',
      severity: 'error',
      from: { path: '^features/.*rules\\.ts$' },
      to: {
        dependencyTypesNot: ['type-only', 'local', 'aliased', 'aliased-subpath-import', 'localmodule', 'unknown', 'undetermined'],
      },
    },
    {
      name: 'rules-know-no-server-or-screen',
      severity: 'error',
      from: { path: '^features/.*rules\\.ts$' },
      to: { path: '\\.server\\.tsx?$|\\.tsx$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-runs-without-jsx',
      comment: 'Node starts the server from its files: it strips types, but compiles no JSX.',
      severity: 'error',
      from: { path: '^server/.*\\.ts$|\\.server\\.ts$', pathNot: TEST },
      // The pages are compiled by Vite.
      to: { path: '\\.tsx$', pathNot: '^site/pages\\.server\\.tsx$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'forms-know-no-database',
      severity: 'error',
      from: { path: '^features/.*forms\\.ts$' },
      to: { path: '\\.server\\.tsx?$|node_modules/(pg|kysely)/' },
    },
    {
      name: 'browser-knows-no-server',
      comment: 'Browser code does not import server code, except types.',
      severity: 'error',
      from: { path: '\\.tsx$|^page/.*\\.ts$', pathNot: `\\.server\\.tsx$|${TEST}` },
      to: { path: '\\.server\\.tsx?$|node_modules/(pg|kysely|fastify|sharp)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'database-through-lib',
      comment: 'Only lib/db opens database connections.',
      severity: 'error',
      from: { path: '^(features|site|components)/', pathNot: TEST },
      to: { path: 'node_modules/pg/', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.runtime|\\.data|\\.cache|test/fixtures/dependencies)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
