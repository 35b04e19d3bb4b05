import { useI18n } from '#page/page-context.tsx'
import { FormArea, FormCheckbox, FormLine, FormRow, FormSelect } from '../ui/form.tsx'

/** Delivery address and notes of an order; a collected one has no address of its own. */
export function DeliveryFields({ areas, isCollection }: { areas: { id: number; area_name: string }[]; isCollection: boolean }) {
  const { t } = useI18n()
  return (
    <>
      <FormCheckbox name="is_collection" label={t('admin-orders.collects')} hint={t('admin-orders.collects-hint')} />
      {isCollection ? null : (
        <>
          <FormLine name="address" label={t('admin-orders.address')} required />
          <FormRow>
            <FormSelect
              name="area_id"
              label={t('admin-orders.area')}
              options={[
                ['', t('admin-orders.choose-area')],
                ...areas.map(({ id, area_name }): [string, string] => [String(id), area_name]),
              ]}
            />
            <FormLine name="landmark" label={t('admin-orders.landmark')} isOptional />
          </FormRow>
        </>
      )}
      <FormLine name="note" label={t('admin-orders.note')} hint={t('admin-orders.note-hint')} isOptional />
      <FormArea name="remarks" label={t('admin-orders.remarks')} hint={t('admin-orders.remarks-hint')} isOptional rows={2} />
    </>
  )
}
