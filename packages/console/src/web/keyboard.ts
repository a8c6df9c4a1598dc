/** Moves the focus to the next or previous list entry. */
export function moveInList(by: 1 | -1): void {
  const entries = [
    ...document.querySelectorAll<HTMLElement>(".worst-item, .row-link, main summary, main .object-link"),
  ];
  const at = entries.findIndex((entry) => entry === document.activeElement);
  const next = at === -1 ? (by === 1 ? 0 : entries.length - 1) : at + by;
  entries[next]?.focus();
}

/** Focuses the search field; returns whether there is one. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("[data-search]");
  field?.focus();
  return field !== null;
}
