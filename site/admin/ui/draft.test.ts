// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { readDraft, storeDraft } from './draft.ts'

afterEach(() => {
  vi.restoreAllMocks()
  sessionStorage.clear()
})

it('a draft is stored by form, and deleted with null', () => {
  storeDraft('area-5', { values: { name: 'Savar' }, version: 3 })
  storeDraft('area-6', { values: { name: 'Dhamrai' }, version: null })
  expect(readDraft('area-5')).toEqual({ values: { name: 'Savar' }, version: 3 })
  storeDraft('area-5', null)
  expect(readDraft('area-5')).toBe(null)
  expect(readDraft('area-6')).toEqual({ values: { name: 'Dhamrai' }, version: null })
})

it.each(['{', 'null', '5', '"text"', '{"version":1}'])('an entry that is no draft (%s) is ignored', (entry) => {
  sessionStorage.setItem('draft:area-5', entry)
  expect(readDraft('area-5')).toBe(null)
})

it('a full or forbidden storage breaks nothing', () => {
  const denied = () => {
    throw new DOMException('denied', 'QuotaExceededError')
  }
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied, clear: () => {} })
  expect(() => storeDraft('area-5', { values: {}, version: null })).not.toThrow()
  expect(() => storeDraft('area-5', null)).not.toThrow()
  expect(readDraft('area-5')).toBe(null)
  vi.unstubAllGlobals()
})
