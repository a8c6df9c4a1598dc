import type { Lockfile, Project } from "./find-project.ts";

/** Base image. This Node version runs TypeScript without a build. */
const NODE_IMAGE = "node:24-slim";
/** User of the Node images. Numeric, because `runAsNonRoot` cannot verify a name. */
const USER = 1000;

const INSTALL: Readonly<Record<Lockfile, string>> = {
  "package-lock.json": "npm ci --omit=dev --no-audit --no-fund",
  "npm-shrinkwrap.json": "npm ci --omit=dev --no-audit --no-fund",
  "pnpm-lock.yaml": "corepack enable && pnpm install --frozen-lockfile --prod",
  "yarn.lock": "corepack enable && yarn install --frozen-lockfile --production",
};

/** Returns a Dockerfile for a package with its production dependencies. The build context is the package directory. */
export function dockerfile({ lockfile, installsFiles }: Project, file: string): string {
  const install = lockfile === undefined ? "npm install --omit=dev --no-audit --no-fund" : INSTALL[lockfile];
  const copied = installsFiles
    ? ". ."
    : ["package.json", ...(lockfile === undefined ? [] : [lockfile]), "./"].join(" ");
  return [
    `FROM ${NODE_IMAGE} AS dependencies`,
    "WORKDIR /app",
    `COPY ${copied}`,
    `RUN ${install}`,
    "",
    `FROM ${NODE_IMAGE}`,
    "ENV NODE_ENV=production",
    "WORKDIR /app",
    "COPY --from=dependencies /app/node_modules ./node_modules",
    "COPY . .",
    `USER ${USER}:${USER}`,
    'ENTRYPOINT ["node", "node_modules/levelset/bin/levelset.cjs"]',
    `CMD ${JSON.stringify(["run", file])}`,
    "",
  ].join("\n");
}

/** Returns the ignore file: installed packages, tests, and files that may contain secrets. */
export function dockerignore(): string {
  return [
    "**/node_modules",
    "**/.git",
    "**/.levelset",
    "**/.env*",
    "**/.npmrc",
    "**/kubeconfig",
    "**/*.log",
    "**/*.test.*",
    "",
  ].join("\n");
}
