import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { ProductDetails } from '#features/catalog/products/product-editor-queries.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { MAX_TAG_LENGTH } from '#features/catalog/limits.ts'
import { adminPost, failureText, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { usePreservedState } from '../ui/use-preserved-state.ts'

interface ProductActionsProps {
  product: ProductDetails
  mayWrite: boolean
  /** The form has unsaved changes, so actions that leave the page are disabled. */
  isDirty: boolean
}

/** Looking at it as shoppers will, copying it, putting it away. */
export function ProductActions({ product, mayWrite, isDirty }: ProductActionsProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const { ask, dialog } = useConfirm()
  const [isCopying, setCopying] = useState(false)
  const [busy, setBusy] = useState(false)
  const name = lang === 'bn' ? product.name_bn : product.name_en
  const { isArchived, open_order_id: openOrder } = product.state
  async function put(action: 'archive' | 'restore') {
    setBusy(true)
    const written = await adminPost(`/admin/products/${product.id}/${action}`, {})
    setBusy(false)
    if (!written.ok) return showFailure(written, t)
    location.reload()
  }
  const archive = async () => {
    const warning = openOrder === null ? [] : [t('products.archive-open-order', { order: openOrder })]
    const text = [...warning, t('products.archive-text')].join(' ')
    if (await ask({ title: t('products.archive-title', { name }), text, action: t('products.archive') })) await put('archive')
  }
  return (
    <>
      <ButtonLink kind="secondary" href={`/product/${product.id}${product.visible ? '' : '?preview=1'}`} target="_blank">
        {t(product.visible ? 'products.to-shop' : 'products.preview')}
      </ButtonLink>
      <ButtonLink kind="secondary" href={`/admin/labels?ids=${product.id}`}>
        {t('labels.print')}
      </ButtonLink>
      {can('customers.read') ? (
        <ButtonLink kind="secondary" href={`/admin/customers?product_id=${product.id}`}>
          {t('products.buyers')}
        </ButtonLink>
      ) : null}
      {mayWrite ? (
        <>
          <Button kind="secondary" disabled={isDirty} onClick={() => setCopying(true)}>
            {t('products.copy')}
          </Button>
          {isArchived ? (
            <Button busy={busy} onClick={() => void put('restore')}>
              {t('products.restore')}
            </Button>
          ) : (
            <Button kind="secondary" busy={busy} disabled={isDirty} onClick={() => void archive()}>
              {t('products.archive')}
            </Button>
          )}
        </>
      ) : null}
      {dialog}
      {isCopying ? <CopyDialog product={product} name={name} onClose={() => setCopying(false)} /> : null}
    </>
  )
}

function CopyDialog({ product, name, onClose }: { product: ProductDetails; name: string; onClose(): void }) {
  const { t } = useI18n()
  const [tag, setTag] = usePreservedState(`copy-${product.id}`, '')
  const [error, setError] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  async function copy() {
    setBusy(true)
    const once = `copy-${product.id}`
    const written = await adminPost<{ redirect: string }>(`/admin/products/${product.id}/copy`, { tag_number: tag }, { once })
    if (written.ok) {
      showToast(t('products.copy-done'))
      return location.assign(written.body.redirect)
    }
    setBusy(false)
    setError(written.errors.tag_number?.[0] ?? failureText(written, t))
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('products.copy-title', { name })}
      closeLabel={t('admin.close')}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('admin.cancel')}
          </Button>
          <Button busy={busy} onClick={() => void copy()}>
            {t('products.copy-do')}
          </Button>
        </>
      }
    >
      <p>{t('products.copy-text')}</p>
      {product.kind === 'animal' ? (
        <form
          className="mt-3"
          onSubmit={(event) => {
            event.preventDefault()
            void copy()
          }}
        >
          <TextField
            label={t('products.tag')}
            value={tag}
            error={error}
            maxLength={MAX_TAG_LENGTH}
            autoComplete="off"
            autoCapitalize="characters"
            onChange={(event) => setTag(event.target.value)}
          />
        </form>
      ) : error ? (
        <p role="alert" className="mt-2 font-semibold text-terracotta">
          {error}
        </p>
      ) : null}
    </Dialog>
  )
}
