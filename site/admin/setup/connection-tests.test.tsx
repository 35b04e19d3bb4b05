// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import '#messages/bn-admin.ts'
import { AppRoot } from '#page/page-context.tsx'
import { cleanUpAfterEach, PAGE } from '../ui/testing.tsx'
import { ConnectionTests } from './connection-tests.tsx'

cleanUpAfterEach()

it('names the gateways in the language of the page', () => {
  render(
    <AppRoot shell={{ ...PAGE, lang: 'bn' }}>
      <ConnectionTests gateways={['sslcommerz', 'bkash']} />
    </AppRoot>,
  )
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['এসএসএলকমার্জ পরীক্ষা করুন', 'বিকাশ পরীক্ষা করুন'])
})
