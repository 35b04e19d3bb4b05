import { expect, it } from 'vitest'
import '#messages/bn-account.ts'
import '#messages/bn-admin.ts'
import '#messages/en-account.ts'
import '#messages/en-admin.ts'
import { MAX_PIN_LENGTH, MAX_PIN_TRIES, IDLE_MINUTES } from '#features/auth/lock-rules.ts'
import { CODE_MINUTES } from '#features/auth/code-rules.ts'
import { MAX_PASSWORD_LENGTH } from '#features/auth/limits.ts'
import { MIN_PASSWORD_LENGTH } from '#features/auth/password-rules.ts'
import { MAX_BACKUP_HOURS } from '#features/backup/schedule-rules.ts'
import { MAX_LINES as MAX_ORDER_LINES } from '#features/cart/rules.ts'
import * as catalog from '#features/catalog/limits.ts'
import { MAX_IMAGE_BYTES } from '#features/catalog/media/images.server.ts'
import { MAX_VIDEO_BYTES } from '#features/catalog/media/videos.server.ts'
import { MAX_CSV_ROWS } from '#features/catalog/products/read-csv.server.ts'
import { MAX_STATUS_IDS } from '#features/catalog/status-update-rules.ts'
import { SMS_COUNT_DAYS } from '#features/messaging/types.ts'
import { DRAFT_DAYS } from '#features/orders/drafts/drafts.server.ts'
import { MAX_TAG_LENGTH } from '#features/orders/tags/tag-rules.ts'
import * as pos from '#features/pos/limits.ts'
import { MAX_ENTRIES_OF_ROW, MAX_STATEMENT_BYTES, MAX_STATEMENT_ROWS } from '#features/reconciliation/rules.ts'
import { MAX_REVIEW_PICTURES } from '#features/reviews/rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { LANGS } from '#lib/i18n/lang.ts'
import { type MessageKey, textByKey } from '#lib/i18n/translate.ts'

// Texts write limits out, because most pages that show them do not load the constant.

const megabytes = (bytes: number) => bytes / 1024 / 1024

it.each<[key: MessageKey, ...limits: number[]]>([
  ['admin-orders.draft-gone', DRAFT_DAYS],
  ['admin-orders.drafts-hint', DRAFT_DAYS],
  ['admin-orders.tag-long', MAX_TAG_LENGTH],
  ['admin-orders.too-many-lines', MAX_ORDER_LINES],
  ['auth.code-sent', CODE_MINUTES],
  ['auth.password-hint', MIN_PASSWORD_LENGTH],
  ['auth.password-long', MAX_PASSWORD_LENGTH],
  ['auth.password-short', MIN_PASSWORD_LENGTH],
  ['auth.too-long', TEXT_LIMIT],
  ['backups.late', MAX_BACKUP_HOURS],
  ['details.too-long', TEXT_LIMIT],
  ['field.product-ids', MAX_STATUS_IDS],
  ['field.weight', catalog.MAX_ANIMAL_KG],
  ['lock.new-pin', MAX_PIN_LENGTH],
  ['lock.pin-format', MAX_PIN_LENGTH],
  ['lock.pin-wrong', MAX_PIN_TRIES],
  ['pos.favourites-hint', pos.MAX_FAVOURITES],
  ['pos.receiptless.too-many-lines', pos.MAX_RECEIPTLESS_LINES],
  ['pos.too-many-lines', pos.MAX_LINES],
  ['products.barcode-bad', catalog.MAX_BARCODE_LENGTH],
  ['products.barcode-hint', catalog.MAX_BARCODE_LENGTH],
  ['products.import-large', megabytes(catalog.MAX_CSV_BYTES)],
  ['products.import-limit', megabytes(catalog.MAX_CSV_BYTES), MAX_CSV_ROWS],
  ['products.import-many', MAX_CSV_ROWS],
  ['products.pictures-hint', megabytes(MAX_IMAGE_BYTES)],
  ['products.pictures-many', catalog.MAX_PICTURES],
  ['products.tag-bad', catalog.MAX_TAG_LENGTH],
  ['products.videos-hint', megabytes(MAX_VIDEO_BYTES)],
  ['products.videos-many', catalog.MAX_VIDEOS],
  ['rates.from-wrong', catalog.MAX_ANIMAL_KG],
  ['rates.rate-wrong', catalog.MAX_RATE / 100],
  ['reconcile.choose-entries', MAX_ENTRIES_OF_ROW],
  ['reconcile.large', megabytes(MAX_STATEMENT_BYTES)],
  ['reconcile.many', MAX_STATEMENT_ROWS],
  ['review.photos-hint', MAX_REVIEW_PICTURES, megabytes(MAX_IMAGE_BYTES)],
  ['review.too-many-pictures', MAX_REVIEW_PICTURES],
  ['settings.device-hours-hint', IDLE_MINUTES],
  ['sms.count.failed', SMS_COUNT_DAYS],
  ['sms.count.unknown', SMS_COUNT_DAYS],
  ['upload.hint', megabytes(MAX_IMAGE_BYTES)],
])('%s names the limits of the code: %i', (key, ...limits) => {
  for (const lang of LANGS) {
    const text = textByKey(lang)(key, { phone: '' })
    const numbers = text.match(/[\d০-৯][\d০-৯,]*/g) ?? []
    for (const limit of limits) expect(numbers, text).toContain(formatNumber(limit, lang))
  }
})
