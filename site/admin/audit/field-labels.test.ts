import { expect, test } from 'vitest'
import { newAreaBody } from '#features/catalog/areas/forms.ts'
import { newCategoryBody } from '#features/catalog/categories/forms.ts'
import { productFields } from '#features/catalog/products/field-values.ts'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { SETTINGS_FORMS } from '#features/settings/forms.ts'
import '#messages/bn-admin.ts'
import '#messages/en-admin.ts'
import { translate } from '#lib/i18n/translate.ts'
import { fieldLabels } from './field-labels.ts'
import { PRODUCT_WORDS } from './product-words.ts'

/** Stored under other names, or not stored. */
const ELSEWHERE = ['picture_ids']

const settings = Object.values(SETTINGS_FORMS).flatMap((form) => pathsOf(form.shape))

/** Fields as the log names them: groups by their paths, lists whole. */
function pathsOf(shape: object, above = ''): string[] {
  return Object.entries(shape).flatMap(([key, field]) =>
    'shape' in field ? pathsOf(field.shape as object, `${above}${key}.`) : [above + key],
  )
}

test.each([
  ['product', Object.keys(productFields)],
  ['area', Object.keys(newAreaBody.shape)],
  ['category', Object.keys(newCategoryBody.shape)],
  ['settings', [...settings, ...Object.keys(DEFAULT_SETTINGS.opening)]],
])('every field of the form of a %s has its words in the log, in both languages', (subject, fields) => {
  expect(fields.length).toBeGreaterThan(5)
  for (const lang of ['en', 'bn'] as const)
    expect(
      fields.filter(
        (field) => fieldLabels({ t: translate(lang), product: PRODUCT_WORDS }, subject, field) === field && !ELSEWHERE.includes(field),
      ),
    ).toEqual([])
})

test('a field is called as it is on its own form, with the language of its text; what nobody knows keeps its key', () => {
  const words = { t: translate('en'), product: PRODUCT_WORDS }
  expect(fieldLabels(words, 'coupon', 'percent_bp')).toBe('Percentage')
  expect(fieldLabels(words, 'slot', 'active')).toBe('Show on home page')
  expect(fieldLabels(words, 'settings', 'shop.name.bn')).toBe('Shop name in Bengali')
  expect(fieldLabels({ t: translate('bn'), product: PRODUCT_WORDS }, 'order', 'landmark')).toBe(translate('bn')('admin-orders.landmark'))
  for (const strange of ['nobody-knows', 'constructor', 'x.en', 'toString.en']) expect(fieldLabels(words, 'order', strange)).toBe(strange)
})
