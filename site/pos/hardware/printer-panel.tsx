import '../../admin/print/receipt.css'
import { useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField } from '#components/field.tsx'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { changeDevices, PAPER_DOTS, type PrinterSettings } from './device-settings.ts'
import { browserUsb, USB_PRINTER, usbId } from './printer-port.ts'
import { BaudField, ConnectFailed } from './scale-panel.tsx'
import { browserSerial, type PortId } from './serial.ts'
import { chooseSerialPort, useChoice, useDevices } from './use-devices.ts'
import { printReceipt } from './use-printer.ts'

async function chooseUsbPrinter(): Promise<PortId> {
  const usb = browserUsb()
  if (!usb) throw new Error('No WebUSB')
  return usbId(await usb.requestDevice({ filters: [{ classCode: USB_PRINTER }] }))
}

/** Chooses the printer of this counter. */
export function PrinterPanel() {
  const { t } = useI18n()
  const { printer } = useDevices()
  const { choose, hasFailed } = useChoice()
  const change = (changes: Partial<PrinterSettings>) => changeDevices({ printer: changes })
  const isSupported = { browser: true, serial: browserSerial() !== null, usb: browserUsb() !== null }
  const connect = () => choose(async () => change({ port: printer.kind === 'usb' ? await chooseUsbPrinter() : await chooseSerialPort() }))
  return (
    <section aria-labelledby="device-printer" className="space-y-3">
      <h3 id="device-printer" className="text-lg">
        {t('pos.printer')}
      </h3>
      <SelectField
        label={t('pos.printer.kind')}
        value={printer.kind}
        onChange={({ target }) => change({ kind: target.value as PrinterSettings['kind'], port: null })}
      >
        {(['browser', 'serial', 'usb'] as const).map((kind) => (
          <option key={kind} value={kind} disabled={!isSupported[kind]}>
            {t(`pos.printer.kind.${kind}`)}
          </option>
        ))}
      </SelectField>
      <div className="grid gap-3 sm:grid-cols-2">
        <PaperField value={printer.dots} onChange={(dots) => change({ dots })} />
        {printer.kind === 'serial' ? <BaudField value={printer.baudRate} onChange={(baudRate) => change({ baudRate })} /> : null}
      </div>
      {printer.kind === 'browser' ? null : (
        <>
          <div className="flex flex-wrap items-center gap-3">
            <span className="grow">{t(printer.port ? 'pos.printer.ready' : 'pos.devices.not-connected')}</span>
            <Button kind={printer.port ? 'secondary' : 'primary'} disabled={!isSupported[printer.kind]} onClick={() => void connect()}>
              {t('pos.devices.connect')}
            </Button>
            {printer.port ? <TestPrint /> : null}
          </div>
          {hasFailed ? <ConnectFailed /> : null}
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5"
              checked={printer.opensDrawer}
              onChange={({ target }) => change({ opensDrawer: target.checked })}
            />
            {t('pos.printer.drawer')}
          </label>
        </>
      )}
    </section>
  )
}

/** The roll, also of a printer that the browser's dialog prints on. */
function PaperField({ value, onChange }: { value: PrinterSettings['dots']; onChange: (dots: PrinterSettings['dots']) => void }) {
  const { t } = useI18n()
  return (
    <SelectField
      label={t('pos.printer.width')}
      value={value}
      onChange={({ target }) => onChange(Number(target.value) as PrinterSettings['dots'])}
    >
      {PAPER_DOTS.map((dots) => (
        <option key={dots} value={dots}>
          {t(`pos.printer.width.${dots}`)}
        </option>
      ))}
    </SelectField>
  )
}

/** Prints some lines in both scripts. It never opens the drawer. */
function TestPrint() {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const receipt = useRef<HTMLElement>(null)
  const [message, setMessage] = useState<{ text: string; isProblem: boolean } | null>(null)
  const [busy, setBusy] = useState(false)
  const [now] = useState(() => new Date())
  async function print() {
    setBusy(true)
    const problem = await printReceipt(receipt.current!, false).catch(() => 'stopped' as const)
    setBusy(false)
    const isProblem = problem !== null && problem !== 'browser'
    setMessage({ text: isProblem ? t(`pos.printer.failed.${problem}`) : t('pos.printer.test-done'), isProblem })
  }
  return (
    <>
      <Button kind="secondary" busy={busy} onClick={() => void print()}>
        {t('pos.printer.test')}
      </Button>
      <p role="status" className={`w-full text-sm empty:hidden ${message?.isProblem ? 'font-semibold text-terracotta' : 'text-leaf-700'}`}>
        {message?.text}
      </p>
      <div aria-hidden="true" className="absolute -z-10 h-0 overflow-hidden">
        <article ref={receipt} data-receipt data-test-print className="text-center">
          <p className="text-lg leading-tight font-semibold">{shop.name}</p>
          <p>{formatFullDateTime(now, lang)}</p>
          <p className="my-1 border-y border-dashed border-black py-1">Aa 0123456789 · অআকখ ০১২৩৪৫৬৭৮৯ ৳</p>
          <p className="font-semibold">{t('pos.printer.test-text')}</p>
        </article>
      </div>
    </>
  )
}
