import type { MouseEvent, ReactNode } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'
import { AlertIcon } from './icons.tsx'
import { useListUrl } from './list-url.ts'
import { type AdminFormState, problemText } from './use-form.ts'
import { SignInAgain } from './sign-in-again.tsx'

/** The error of the last save. It is part of the save bar, which stays visible in a long form. */
export function SaveProblem<Values extends object>({ form }: { form: AdminFormState<Values> }) {
  const { t } = useI18n()
  const { problem } = form
  if (!problem) return null
  return (
    <div
      role="alert"
      className="flex w-full flex-wrap items-start gap-x-3 gap-y-2 rounded-card bg-terracotta-100 px-3.5 py-2 text-terracotta"
    >
      <p className="flex grow basis-60 items-start gap-3 font-semibold">
        <AlertIcon className="mt-0.5 shrink-0" />
        <span className="min-w-0 wrap-anywhere">{problemText(form, t)}</span>
      </p>
      {problem === 'stale' ? (
        <Button size="small" kind="secondary" onClick={() => location.reload()}>
          {t('admin.stale-load')}
        </Button>
      ) : null}
      {problem === 'signed-out' ? <SignInAgain /> : null}
    </div>
  )
}

interface SaveBarProps<Values extends object> {
  form: AdminFormState<Values>
  saveLabel?: string | undefined
  /** The page that Cancel opens, or what it does; without it there is no Cancel. */
  cancel?: string | (() => void) | undefined
  /** Other ways to save. */
  children?: ReactNode
}

/** The bar at the bottom edge: save, cancel, and the state of the form. */
export function SaveBar<Values extends object>({ form, saveLabel, cancel, children }: SaveBarProps<Values>) {
  const { t } = useI18n()
  // Inside of a form the button submits it.
  const save = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (currentTarget.form === null) void form.submit()
  }
  return (
    <div className="admin-bar sticky bottom-0 z-10 -mx-4 mt-5 flex flex-wrap items-center gap-2 border-t border-line bg-paper px-4 pt-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))]">
      <SaveProblem form={form} />
      <Button type="submit" busy={form.isSaving} onClick={save}>
        {form.isSaving ? t('admin.saving') : (saveLabel ?? t('admin.save'))}
      </Button>
      {children}
      {typeof cancel === 'function' ? (
        <Button kind="quiet" onClick={cancel}>
          {t('admin.cancel')}
        </Button>
      ) : cancel ? (
        <CancelLink href={cancel} />
      ) : null}
      {form.isDirty ? (
        <span className="text-sm text-stone" role="status">
          {t('admin.unsaved')}
        </span>
      ) : null}
    </div>
  )
}

/** Opens the list with the filters and the page it had. */
function CancelLink({ href }: { href: string }) {
  const { t } = useI18n()
  return (
    <ButtonLink kind="quiet" href={useListUrl(href)}>
      {t('admin.cancel')}
    </ButtonLink>
  )
}
