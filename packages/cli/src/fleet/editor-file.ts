import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InputError, isJsonObject } from "@levelset/core";
import { toError } from "@levelset/core/internal";
import type { WireResource } from "@levelset/fleet/client";
import { formatYaml, parseDocuments } from "../yaml/index.ts";
import type { Shell } from "../terminal/index.ts";
import type { ResourceDeclaration } from "./declaration-flags.ts";
import { formatResourceArg } from "./resource-arg.ts";

/** A declaration in a temporary file for an editor. Disposal deletes the file unless it is retained. */
export class EditorFile implements AsyncDisposable {
  readonly path: string;
  readonly #directory: string;
  #isRetained = false;

  private constructor(directory: string) {
    this.#directory = directory;
    this.path = join(directory, "resource.yaml");
  }

  /** Writes the current declaration to a new file. */
  static async open(resource: WireResource, declared: ResourceDeclaration): Promise<EditorFile> {
    // A spec may contain secrets: mkdtemp creates the directory with mode 0700.
    const draft = new EditorFile(await mkdtemp(join(tmpdir(), "levelset-edit-")));
    const word = formatResourceArg(resource);
    const head = `# ${word}, generation ${resource.generation}. What you save replaces spec, labels and references;\n# an unchanged or empty file changes nothing.\n`;
    await writeFile(draft.path, head + formatYaml([declared]), { mode: 0o600 });
    return draft;
  }

  /** Runs the editor and resolves when it exits. */
  async edit({ env, cwd }: Shell): Promise<void> {
    const editor = [env["VISUAL"], env["EDITOR"]].find((word) => word !== undefined && word !== "") ?? "vi";
    // VISUAL and EDITOR may contain options, so a shell parses them.
    const child = spawn(`${editor} "${this.path}"`, { cwd, shell: true, stdio: "inherit" });
    const [code]: readonly unknown[] = await once(child, "exit");
    if (code !== 0)
      throw new InputError(`the editor ${JSON.stringify(editor)} failed; nothing was changed`, {
        hint: "set VISUAL or EDITOR",
      });
  }

  /** Parses the saved text. Throws an InputError if it is empty or invalid. */
  async read(): Promise<ResourceDeclaration> {
    const [only] = parseDocuments(await readFile(this.path, "utf8"), this.path);
    const { document } = only ?? {};
    if (document === undefined) throw new InputError("the file is empty; nothing was changed");
    if (!isJsonObject(document) || !isJsonObject(document["spec"])) throw new InputError("spec: must be an object");
    const unknown = Object.keys(document).find((key) => !["spec", "labels", "references"].includes(key));
    if (unknown !== undefined) throw new InputError(`${unknown}: only spec, labels and references can be changed`);
    // The API validates the rest.
    return document as unknown as ResourceDeclaration;
  }

  /** Runs `work`. If it fails, the file is retained and the error names its path. */
  async keepOnFailure<Out>(work: () => Promise<Out>): Promise<Out> {
    try {
      return await work();
    } catch (thrown) {
      this.#isRetained = true;
      const error = toError(thrown);
      const hints = [`your changes are saved in ${this.path}`, ...(error instanceof InputError ? [error.hint] : [])];
      const hint = hints.filter((each) => each !== undefined).join("; ");
      throw new InputError(error.message, { hint, cause: error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isRetained) await rm(this.#directory, { recursive: true, force: true });
  }
}
