import type { JSX } from "preact";
import type { ObjectRef } from "@levelset/operator";
import { Words } from "./parts.tsx";
import { visible } from "./words.ts";

/** How many are named. */
const NAMED_MAX = 20;

/** What goes along with something that is deleted. */
export function GoesAlong(props: {
  readonly words: string;
  readonly refs: readonly Pick<ObjectRef, "kind" | "namespace" | "name">[];
}): JSX.Element | null {
  const { words, refs } = props;
  if (refs.length === 0) return null;
  return (
    <>
      <p>{words}</p>
      <ul class="along">
        {refs.slice(0, NAMED_MAX).map(({ kind, namespace, name }) => (
          <li key={`${kind}/${namespace ?? ""}/${name}`}>
            <span class="kind">{visible(kind)}</span>{" "}
            <Words text={namespace === undefined ? name : `${namespace}/${name}`} />
          </li>
        ))}
        {refs.length > NAMED_MAX ? <li class="aside">{`and ${refs.length - NAMED_MAX} more`}</li> : null}
      </ul>
    </>
  );
}
