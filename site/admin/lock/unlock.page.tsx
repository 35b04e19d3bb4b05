import '../admin.css'
import { ShopBrand } from '#components/logo.tsx'
import { useI18n } from '#page/page-context.tsx'
import { LockForm } from './lock-form.tsx'

export interface Props {
  next: string
  name: string
  hasPin: boolean
  errors: Record<string, string>
  problem: string | null
}

/** The lock screen as a page of its own: for addresses that are opened while the session is locked. */
export function Page({ next, name, hasPin, errors, problem }: Props) {
  const { t } = useI18n()
  return (
    <main id="content" className="min-h-dvh bg-leaf-800 p-4">
      <div className="mx-auto mt-[8vh] w-full max-w-md rounded-card bg-milk p-5 sm:p-8">
        <ShopBrand size={52} />
        <h1 className="mt-3 mb-3 text-2xl">{t('lock.title')}</h1>
        <LockForm name={name} hasPin={hasPin} next={next} errors={errors} problem={problem} onUnlocked={null} />
      </div>
    </main>
  )
}
