/** As a ref of a form or list in a dialog: its first field or button has the focus when the dialog opens, instead of the cross. */
export function firstField(around: HTMLElement | null): void {
  around?.querySelector('input, button')?.setAttribute('autofocus', '')
}
