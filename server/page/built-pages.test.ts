import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('pages are rendered by the React that they were built with, the one for production', () => {
  const built = readFileSync('dist/server/pages.server.js', 'utf8')
  expect(built).toContain('renderToString')
  expect(built).not.toMatch(/from "react|process\.env\.NODE_ENV/)
})
