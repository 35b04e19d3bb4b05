import { useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { CheckIcon, PlusIcon } from '#components/icons.tsx'
import { SidePanel } from '#components/side-panel.tsx'
import { type Address, type AddressForm as Form, MAX_ADDRESSES } from '#features/customers/address-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { AddressForm } from './address-form.tsx'
import { AddressText } from './address-text.tsx'
import type { AddressBook, AddressError } from './use-address-book.ts'

/** The first view: the list, a new address, or an address to edit. */
export type PanelView = 'list' | 'add' | Address

interface AddressPanelProps {
  book: AddressBook
  areas: { id: number; area_name: string }[]
  account: { id: number; name: string; phone: string }
  view: PanelView
  onClose: () => void
}

/** The address book in a side panel: choose, add, edit, delete. */
export function AddressPanel({ book, areas, account, view: opened, onClose }: AddressPanelProps) {
  const { t } = useI18n()
  const [view, setView] = useState(opened)
  const [error, setError] = useState<AddressError | null>(null)
  const blank: Form = { name: account.name, phone: '', alternate_phone: '', address: '', landmark: '', note: '', area_id: null }
  const title = view === 'list' ? t('address.book') : t(view === 'add' ? 'address.add-new' : 'address.edit-title')
  const back = () => (view === opened ? onClose() : setView('list'))

  const save = async (form: Form) => {
    const found = view === 'add' ? await book.add(form) : view === 'list' ? null : await book.update(view.id, form)
    if (found === null) onClose()
    setError(found)
    return found?.errors ?? null
  }

  return (
    <>
      <SidePanel onClose={onClose} title={title} closeLabel={t('shell.close')}>
        {view === 'list' ? (
          <AddressList book={book} areas={areas} accountPhone={account.phone} onView={setView} onChosen={onClose} />
        ) : (
          <AddressForm
            key={view === 'add' ? 'add' : view.id}
            initial={view === 'add' ? blank : formOf(view)}
            draftKey={`${account.id} ${view === 'add' ? 'add' : view.id}`}
            areas={areas}
            onSave={save}
            onCancel={back}
          />
        )}
      </SidePanel>
      <Dialog
        open={error !== null}
        onClose={() => setError(null)}
        title={error?.title}
        closeLabel={t('shell.close')}
        actions={
          error?.isSignedOut ? (
            // What is typed is a draft, which the panel has again afterwards.
            <ButtonLink href={`/login?next=${encodeURIComponent(location.pathname + location.hash)}`}>{t('shell.login')}</ButtonLink>
          ) : (
            <Button onClick={() => setError(null)}>{t('address.ok')}</Button>
          )
        }
      >
        <p>{error?.text}</p>
      </Dialog>
    </>
  )
}

function formOf({ name, phone, alternate_phone, address, landmark, note, area_id }: Address): Form {
  return { name, phone, alternate_phone, address, landmark, note, area_id }
}

interface AddressListProps {
  book: AddressBook
  areas: { id: number; area_name: string }[]
  accountPhone: string
  onView: (view: PanelView) => void
  onChosen: () => void
}

/** Every saved address with its actions. */
export function AddressList({ book, areas, accountPhone, onView, onChosen }: AddressListProps) {
  const { t, lang } = useI18n()
  const [leaving, setLeaving] = useState<Address | null>(null)
  const [deleted, setDeleted] = useState(false)
  const [picked, setPicked] = useState<number | null>(null)
  const status = useRef<HTMLDivElement>(null)
  const isFull = book.addresses.length >= MAX_ADDRESSES

  useEffect(() => {
    // The focus was in the address that is no more.
    if (deleted && document.activeElement === document.body) status.current?.focus({ preventScroll: true })
  }, [deleted])
  useEffect(() => {
    // The pressed button became the word that this address is the chosen one.
    if (picked !== null && document.activeElement === document.body)
      document.getElementById(chosenId(picked))?.focus({ preventScroll: true })
  }, [picked])
  const choose = (id: number) => {
    void book.choose(id)
    setPicked(id)
    onChosen()
  }
  const remove = async (address: Address) => {
    setLeaving(null)
    setDeleted(await book.remove(address.id))
    setTimeout(() => setDeleted(false), 1500)
  }
  return (
    <>
      <div ref={status} role="status" tabIndex={-1} className="font-semibold text-leaf-600">
        {deleted ? (
          <p className="mb-3 flex items-center gap-2">
            <CheckIcon /> {t('address.deleted')}
          </p>
        ) : null}
      </div>
      {book.addresses.length === 0 ? (
        <div className="stitch mb-4 rounded-card p-4 text-center text-leaf-800">
          <p className="font-semibold">{t('address.none')}</p>
          <p className="text-stone">{t('address.none-text')}</p>
        </div>
      ) : null}
      <ul className="space-y-3">
        {book.addresses.map((address) => (
          <Entry
            key={address.id}
            address={address}
            isChosen={address.id === book.chosen?.id}
            areaName={areas.find((area) => area.id === address.area_id)?.area_name ?? null}
            accountPhone={accountPhone}
            onChoose={() => choose(address.id)}
            onEdit={() => onView(address)}
            onDelete={() => setLeaving(address)}
          />
        ))}
      </ul>
      {isFull ? (
        <p className="mt-4 text-stone">{t('address.full', { max: localizeDigits(lang, String(MAX_ADDRESSES)) })}</p>
      ) : (
        <Button kind="secondary" full className="needs-script mt-4" onClick={() => onView('add')}>
          <PlusIcon size={20} /> {t('address.add-new')}
        </Button>
      )}
      <Dialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t('address.delete-title')}
        closeLabel={t('shell.close')}
        actions={
          <>
            <Button kind="secondary" onClick={() => setLeaving(null)}>
              {t('address.keep')}
            </Button>
            <Button kind="danger" onClick={() => leaving && void remove(leaving)}>
              {t('address.delete')}
            </Button>
          </>
        }
      >
        {leaving ? <p className="break-words">{t('address.delete-text', leaving)}</p> : null}
      </Dialog>
    </>
  )
}

const chosenId = (id: number) => `chosen-address-${id}`

interface EntryProps {
  address: Address
  isChosen: boolean
  areaName: string | null
  accountPhone: string
  onChoose: () => void
  onEdit: () => void
  onDelete: () => void
}

function Entry({ address, isChosen, areaName, accountPhone, onChoose, onEdit, onDelete }: EntryProps) {
  const { t } = useI18n()
  return (
    <li className={`rounded-card border bg-milk p-4 ${isChosen ? 'border-2 border-leaf-600' : 'border-line'}`}>
      <AddressText address={address} areaName={areaName} accountPhone={accountPhone} />
      {areaName === null ? <p className="mt-1 text-sm font-semibold text-terracotta">{t('address.no-area')}</p> : null}
      <div className="mt-2 -mb-1 flex flex-wrap items-center justify-between gap-x-2">
        {isChosen ? (
          <p id={chosenId(address.id)} tabIndex={-1} className="flex min-h-11 items-center gap-1.5 font-semibold text-leaf-600">
            <CheckIcon size={20} /> {t('address.is-chosen')}
          </p>
        ) : (
          <Button size="small" className="needs-script" aria-label={t('address.choose-of', address)} onClick={onChoose}>
            {t('address.choose')}
          </Button>
        )}
        <span className="needs-script -me-2 flex">
          <Button kind="quiet" size="small" className="underline" aria-label={t('address.edit-of', address)} onClick={onEdit}>
            {t('address.edit')}
          </Button>
          <Button kind="quiet" size="small" className="underline" aria-label={t('address.delete-of', address)} onClick={onDelete}>
            {t('address.delete')}
          </Button>
        </span>
      </div>
    </li>
  )
}
