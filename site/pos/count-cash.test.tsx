// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import { cleanUpAfterEach, PAGE } from '../admin/ui/testing.tsx'
import { AppRoot } from '#page/page-context.tsx'
import { CountNotes } from './count-cash.tsx'

cleanUpAfterEach()

it.each([
  ['en', '৳1,000 ×', 'Number of ৳1,000 notes'],
  ['bn', '৳১,০০০ ×', '৳১,০০০ নোট কয়টি'],
] as const)('names notes as all other amounts: %s', (lang, text, label) => {
  render(
    <AppRoot shell={{ ...PAGE, lang }}>
      <CountNotes counts={{}} onChange={() => {}} />
    </AppRoot>,
  )
  expect([screen.getByText(text).tagName, screen.getByLabelText(label).tagName]).toEqual(['SPAN', 'INPUT'])
})
