/** As the `ref` of a control that takes the place of the one that was just used: the focus follows. */
export function focusWhenShown(element: HTMLElement | null): void {
  element?.focus();
}
