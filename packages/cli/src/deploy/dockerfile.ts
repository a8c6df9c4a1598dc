import type { Lockfile, Project } from "./project.ts";

/** The Node that images run: it reads TypeScript as it is. */
const NODE_IMAGE = "node:24-slim";
/** The user of the Node images. A number, so that a cluster can see that it is not root. */
const USER = 1000;

const INSTALL: Readonly<Record<Lockfile, string>> = {
  "package-lock.json": "npm ci --omit=dev --no-audit --no-fund",
  "npm-shrinkwrap.json": "npm ci --omit=dev --no-audit --no-fund",
  "pnpm-lock.yaml": "corepack enable && pnpm install --frozen-lockfile --prod",
  "yarn.lock": "corepack enable && yarn install --frozen-lockfile --production",
};

/** A Dockerfile that puts a package with its production dependencies into an image. Its context is the package's directory. */
export function dockerfile({ lockfile, installsFiles }: Project, file: string): string {
  const install = lockfile === undefined ? "npm install --omit=dev --no-audit --no-fund" : INSTALL[lockfile];
  const wanted = installsFiles
    ? ". ."
    : ["package.json", ...(lockfile === undefined ? [] : [lockfile]), "./"].join(" ");
  return [
    `FROM ${NODE_IMAGE} AS dependencies`,
    "WORKDIR /app",
    `COPY ${wanted}`,
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

/** What does not belong into an image: what is installed anew there, what only tests need, and whatever may be secret. */
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
