/** A key pressed for the page itself: not typed into a control, not with a modifier, nothing open above it. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (target instanceof HTMLElement) {
    if (target.isContentEditable || target.closest('input, textarea, select')) {
      return false;
    }
  }
  return document.querySelector('[role=dialog], :popover-open') === null;
}
