import { withoutBlocks } from "./prose.ts";
import { perFile } from "../tree.ts";
import type { SourceTree } from "../tree.ts";

const HEADING = /^ {0,3}#{1,6} +(.*?)(?: +#+)? *$/gm;

/** Returns the anchors of a document: its headings in the form that forges and editors use. */
export const anchorsOf: (tree: SourceTree, path: string) => ReadonlySet<string> = perFile((text) => {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutBlocks(text).matchAll(HEADING)) {
    const plain = anchorOf(heading);
    let anchor = plain;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${plain}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
});

function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Mark}\p{Number}\p{Connector_Punctuation} -]/gu, "")
    .replaceAll(" ", "-");
}
