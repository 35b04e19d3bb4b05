// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { CustomerNotes } from './customer-notes.tsx'

cleanUpAfterEach()

const isGuarded = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('a note that is typed while the one before is saved stays, and the page asks before it is left', async () => {
  const saved = Promise.withResolvers<boolean>()
  renderInPage(<CustomerNotes notes={[]} add={() => saved.promise} />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  expect(isGuarded()).toBe(false)
  type('Pays on Friday')
  fireEvent.submit(field.closest('form')!)
  type('Pays on Friday, by bKash')
  await act(async () => saved.resolve(true))
  expect(field.value).toBe('Pays on Friday, by bKash')
  expect(isGuarded()).toBe(true)
})

it('a saved note leaves the field empty', async () => {
  renderInPage(<CustomerNotes notes={[]} add={() => Promise.resolve(true)} />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  fireEvent.change(field, { target: { value: 'Pays on Friday' } })
  await act(async () => fireEvent.submit(field.closest('form')!))
  expect(field.value).toBe('')
  expect(isGuarded()).toBe(false)
})
