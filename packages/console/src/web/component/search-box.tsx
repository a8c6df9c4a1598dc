import type { ComponentChildren, JSX } from "preact";

/** The search field of a list; the key `/` focuses it. */
export function SearchBox(props: {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
  readonly note: ComponentChildren;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const { value, label, hint, note, onChange } = props;
  return (
    <div class="search">
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={hint}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <span class="note" role="status">
        {note}
      </span>
    </div>
  );
}
