import { Button } from '#components/button.tsx'
import { SelectField } from '#components/field.tsx'
import { useI18n } from '#page/page-context.tsx'
import { BAUD_RATES, changeDevices, FRAMES, SCALE_PROTOCOLS, type ScaleSettings } from './device-settings.ts'
import { WeightText } from './live-weight.tsx'
import { browserSerial } from './serial.ts'
import { WEIGHT_UNITS } from './scale-rules.ts'
import { chooseSerialPort, useChoice, useDevices } from './use-devices.ts'
import { useScale } from './use-scale.ts'

/** Connects the scale of this counter. */
export function ScalePanel() {
  const { t } = useI18n()
  const { scale: settings } = useDevices()
  const scale = useScale()
  const { choose, hasFailed } = useChoice()
  const change = (changes: Partial<ScaleSettings>) => changeDevices({ scale: changes })
  const connect = () => choose(async () => change({ port: await chooseSerialPort() }))
  return (
    <section aria-labelledby="device-scale" className="space-y-3">
      <h3 id="device-scale" className="text-lg">
        {t('pos.scale')}
      </h3>
      <div className="flex flex-wrap items-center gap-3">
        <span className="grow">{settings.port ? <WeightText scale={scale} /> : t('pos.devices.not-connected')}</span>
        {settings.port ? (
          <Button kind="secondary" onClick={() => change({ port: null })}>
            {t('pos.devices.disconnect')}
          </Button>
        ) : (
          <Button disabled={!browserSerial()} onClick={() => void connect()}>
            {t('pos.devices.connect')}
          </Button>
        )}
      </div>
      {hasFailed ? <ConnectFailed /> : null}
      {settings.port ? (
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label={t('pos.scale.protocol')}
            value={settings.protocol}
            onChange={({ target }) => change({ protocol: target.value as ScaleSettings['protocol'] })}
          >
            {SCALE_PROTOCOLS.map((one) => (
              <option key={one} value={one}>
                {t(`pos.scale.protocol.${one}`)}
              </option>
            ))}
          </SelectField>
          <BaudField value={settings.baudRate} onChange={(baudRate) => change({ baudRate })} />
          <SelectField
            label={t('pos.devices.frame')}
            value={settings.frame}
            onChange={({ target }) => change({ frame: target.value as ScaleSettings['frame'] })}
          >
            {FRAMES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
          <SelectField
            label={t('pos.scale.unitless')}
            value={settings.unitless ?? ''}
            onChange={({ target }) => change({ unitless: (target.value || null) as ScaleSettings['unitless'] })}
          >
            <option value="">{t('pos.scale.unitless.none')}</option>
            {WEIGHT_UNITS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
        </div>
      ) : null}
    </section>
  )
}

export function ConnectFailed() {
  const { t } = useI18n()
  return (
    <p role="alert" className="font-semibold text-terracotta">
      {t('pos.devices.connect-failed')}
    </p>
  )
}

export function BaudField({ value, onChange }: { value: number; onChange: (baudRate: number) => void }) {
  const { t } = useI18n()
  return (
    <SelectField label={t('pos.devices.baud')} value={value} onChange={({ target }) => onChange(Number(target.value))}>
      {BAUD_RATES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </SelectField>
  )
}
