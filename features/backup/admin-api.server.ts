import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { idParams } from '#lib/form-fields.ts'
import type { Env } from '#lib/runtime/env.server.ts'
import { findBackupFile } from './queries.server.ts'
import { openTarget } from './target.server.ts'

interface Parts {
  db: Db
  env: Pick<Env, 'backupTo' | 'dataDir' | 's3'>
  /** Starts a backup in the background; false while one runs. */
  startBackup(actorId: number): boolean
}

/** Starts and downloads backups. */
export function backupsApi({ db, env, startBackup }: Parts): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/backups',
      {
        config: { permission: 'backups.write' },
        schema: { tags: ['admin'], summary: 'Start a backup', body: z.strictObject({}) },
      },
      async ({ staff }, reply) => {
        if (!startBackup(staff.id)) return reply.fail(409, 'backups.running')
        await inTransaction(db, (tx) => audit(tx, staff, { action: 'created', subject: 'backup', id: '' }))
        return { state: 'started' }
      },
    )

    app.get(
      '/api/admin/backups/:id/file',
      {
        config: { permission: 'backups.write', recentProofFor: '/admin/backups' },
        schema: { tags: ['admin'], summary: 'Download a backup', params: idParams },
      },
      async ({ params, staff }, reply) => {
        const found = await findBackupFile(db, params.id)
        const target = openTarget(env)
        reply.raw.once('close', () => target.close())
        // A backup of an earlier BACKUP_TO is not fetched from elsewhere.
        const body = found && found.target === target.name ? await target.read(found.fileName) : null
        if (!found || !body) return reply.fail(404, 'error.not-found')
        await inTransaction(db, (tx) => audit(tx, staff, { action: 'exported', subject: 'backup', id: params.id }))
        return reply
          .header('content-type', 'application/octet-stream')
          .header('cache-control', 'no-store')
          .header('content-disposition', `attachment; filename="${found.fileName}"`)
          .send(body)
      },
    )
  }
}
