import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dockerfile } from "./dockerfile.ts";
import { findProject, projectName } from "./find-project.ts";
import type { Project } from "./find-project.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "levelset-project-"));
  mkdirSync(join(root, "src"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function declare(fields: unknown, ...others: string[]): Promise<Project | undefined> {
  writeFileSync(join(root, "package.json"), typeof fields === "string" ? fields : JSON.stringify(fields));
  for (const file of others) writeFileSync(join(root, file), "");
  return findProject(join(root, "src", "shop.ts"));
}

const run = (text: string): string | undefined => /^RUN (.*)$/mu.exec(text)?.[1];

describe("the package of an operator", () => {
  test("is the nearest one above its file", async () => {
    expect(await declare({ name: "@acme/Shop_Operator", version: "1.2.3", dependencies: { levelset: "1" } })).toEqual({
      root,
      name: "@acme/Shop_Operator",
      version: "1.2.3",
      hasCommand: true,
      installsFiles: false,
      lockfile: undefined,
    });
    expect(await declare({}, "yarn.lock")).toMatchObject({ name: undefined, hasCommand: false, lockfile: "yarn.lock" });
  });

  test("that cannot be read causes an error with its path", async () => {
    await expect(declare("{")).rejects.toThrow("package.json: not JSON");
    await expect(declare("5")).rejects.toThrow("package.json: not an object");
  });

  test("gives the Deployment a valid DNS label as its name", async () => {
    const named = async (name: string): Promise<string> => projectName(await declare({ name }), "/src/shop.ts");
    expect(await named("@acme/Shop_Operator")).toBe("shop-operator");
    expect(await named("_")).toBe("operator");
    expect(await named(`${"a".repeat(49)}-b`)).toBe("a".repeat(49));
    expect(projectName(undefined, "/src/Corner.Shop.ts")).toBe("corner-shop");
  });

  test("is installed in the image by its own package manager from its lockfile", async () => {
    const image = async (...lockfiles: string[]): Promise<string> => {
      const project = await declare({ name: "shop" }, ...lockfiles);
      return project === undefined ? "" : dockerfile(project, "src/shop.ts");
    };
    expect(run(await image())).toBe("npm install --omit=dev --no-audit --no-fund");
    expect(run(await image("pnpm-lock.yaml"))).toContain("pnpm install --frozen-lockfile --prod");
    const npm = await image("package-lock.json");
    expect(run(npm)).toBe("npm ci --omit=dev --no-audit --no-fund");
    expect(npm).toContain("COPY package.json package-lock.json ./\n");
    expect(npm).toContain('CMD ["run","src/shop.ts"]\n');
    expect(npm).toMatch(/^USER 1000:1000$/mu);
    const parts = [{ workspaces: ["packages/*"] }, { dependencies: { levelset: "file:vendor/levelset-0.1.0.tgz" } }];
    for (const fields of parts) {
      const project = await declare(fields);
      expect(project === undefined ? "" : dockerfile(project, "x.ts")).toMatch(/^COPY \. \.\nRUN npm ci/mu);
    }
  });
});
