import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Db } from '#lib/db/db.server.ts'
import { shortIdField } from '#lib/form-fields.ts'
import { MAX_LABELLED } from './label-rules.ts'
import { assignBarcodes } from './own-barcodes.server.ts'

const body = z.strictObject({ ids: z.array(shortIdField()).min(1).max(MAX_LABELLED) })

/** The admin route that assigns the shop's own barcodes. */
export function labelsApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/labels/barcodes',
      {
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Give products without a barcode one of the shop’s own (EAN-13)', body },
      },
      async ({ staff, body: { ids } }) => ({ assigned: await assignBarcodes(db, staff, ids) }),
    )
  }
}
