// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest'
import { changedFields, readDraft, storeDraft, withDraft } from './draft.ts'

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

it('fields of a group are changed one by one; lists and pictures as a whole', () => {
  const saved = { shop: { phone: '1', name: { en: 'A', bn: 'ক' } }, tiers: [1, 2], logo: { image_id: 1, width: 5 }, note: null }
  const typed = { shop: { phone: '1', name: { en: 'B', bn: 'ক' } }, tiers: [1, 3], logo: { image_id: 2, width: 5 }, note: { en: 'N' } }
  const draft = changedFields(saved, typed)
  expect(draft).toEqual({ shop: { name: { en: 'B' } }, tiers: [1, 3], logo: { image_id: 2, width: 5 }, note: { en: 'N' } })
  const meanwhile = { ...saved, shop: { phone: '2', name: { en: 'A', bn: 'খ' } }, tiers: [9], logo: { image_id: 3, width: 7 } }
  expect(withDraft(meanwhile, draft)).toEqual({ ...typed, shop: { phone: '2', name: { en: 'B', bn: 'খ' } } })
})
