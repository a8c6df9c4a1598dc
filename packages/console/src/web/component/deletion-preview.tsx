import type { JSX } from "preact";
import type { ObjectRef } from "@levelset/operator";
import { UntrustedText } from "./components.tsx";
import { escapeInvisible } from "../format.ts";

/** Maximum number of listed objects. */
const NAMED_MAX = 20;

/** Objects that are deleted together with an object. */
export function DeletionPreview(props: {
  readonly text: string;
  readonly refs: readonly Pick<ObjectRef, "kind" | "namespace" | "name">[];
}): JSX.Element | null {
  const { text, refs } = props;
  if (refs.length === 0) return null;
  return (
    <>
      <p>{text}</p>
      <ul class="along">
        {refs.slice(0, NAMED_MAX).map(({ kind, namespace, name }) => (
          <li key={`${kind}/${namespace ?? ""}/${name}`}>
            <span class="kind">{escapeInvisible(kind)}</span>{" "}
            <UntrustedText text={namespace === undefined ? name : `${namespace}/${name}`} />
          </li>
        ))}
        {refs.length > NAMED_MAX ? <li class="aside">{`and ${refs.length - NAMED_MAX} more`}</li> : null}
      </ul>
    </>
  );
}
