// Who may import whom (ARCHITECTURE). scripts/check-dependencies.ts runs this on the project and on a fixture that must fail.

const TEST = '\\.(test|e2e)\\.tsx?$|^test/|/testing/|/test-data/'

/** What each feature may import of the others, besides `audit` and `settings`, which all may; an unnamed feature may import none. */
const FEATURES = {
  audit: [],
  settings: ['catalog', 'messaging'],
  messaging: [],
  payments: ['messaging', 'catalog'],
  // Order locks of products move to features/stock.
  catalog: ['orders'],
  search: ['catalog'],
  // Guessing a coupon is slowed like guessing a password.
  pricing: ['catalog', 'auth'],
  cart: ['catalog', 'pricing'],
  auth: ['messaging'],
  customers: ['auth', 'messaging'],
  orders: ['messaging', 'payments', 'catalog', 'auth', 'customers', 'pricing', 'cart', 'delivery'],
  delivery: ['orders', 'messaging'],
  cattle: ['catalog', 'orders', 'payments', 'messaging'],
  kurbani: ['catalog', 'search', 'cattle', 'customers', 'messaging', 'auth', 'orders'],
  pos: ['catalog', 'pricing', 'customers', 'payments', 'orders', 'auth'],
  'admin-search': ['catalog', 'search', 'customers', 'orders'],
  reports: ['auth', 'catalog', 'orders', 'customers', 'cattle', 'kurbani', 'pos', 'payments', 'messaging'],
}

const layers = [
  { name: 'lib-knows-no-shop', from: '^(lib|messages)/', to: '^(page|components|features|site|server|db|dev)/' },
  { name: 'page-knows-no-shop', from: '^page/', to: '^(components|features|site|server|db|dev)/' },
  { name: 'components-know-no-shop', from: '^components/', to: '^(features|site|server|db|dev)/' },
  { name: 'features-know-no-page', from: '^features/', to: '^(site|server|db)/' },
  { name: 'site-knows-no-server', from: '^site/', to: '^(server|db|dev)/' },
]

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one, or a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'nothing-missing',
      comment: 'An import that leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(virtual:|/site/)|[?]url$' },
    },
    {
      name: 'no-tests-in-the-shop',
      comment: 'What runs for customers does not lean on what runs for tests.',
      severity: 'error',
      from: { pathNot: `${TEST}|^bench/|^vitest\\.config|^scripts/` },
      to: { path: '\\.(test|e2e)\\.tsx?$|^test/' },
    },
    ...layers.map(({ name, from, to }) => ({
      name,
      comment: 'lib ← page ← components ← features ← site ← server.',
      severity: 'error',
      from: { path: from, pathNot: TEST },
      // The generated types of the tables import nothing but lib.
      to: { path: to, pathNot: '^db/types\\.ts$' },
    })),
    ...Object.entries(FEATURES).map(([feature, others]) => ({
      name: `feature-${feature}`,
      comment: `${feature} may import ${others.join(', ') || 'no other feature'}.`,
      severity: 'error',
      // Screens are left out: a card of the catalog shows the cart's button.
      from: { path: `^features/${feature}/`, pathNot: `${TEST}|^features/[^/]+/ui/` },
      to: { path: '^features/', pathNot: `^features/(${[feature, 'audit', 'settings', ...others].join('|')})/` },
    })),
    {
      name: 'rules-are-pure',
      comment: 'Rules import rules, types and lib; no package, no Node, no database, no screen.',
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
      name: 'forms-know-no-database',
      severity: 'error',
      from: { path: '^features/.*forms\\.ts$' },
      to: { path: '\\.server\\.tsx?$|node_modules/(pg|kysely)/' },
    },
    {
      name: 'browser-knows-no-server',
      comment: 'What the browser loads must not drag the server along; types may be shared.',
      severity: 'error',
      from: { path: '\\.tsx$|^page/.*\\.ts$', pathNot: `\\.server\\.tsx$|${TEST}` },
      to: { path: '\\.server\\.tsx?$|node_modules/(pg|kysely|fastify|sharp)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'database-through-lib',
      comment: 'The driver is opened in one place.',
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
