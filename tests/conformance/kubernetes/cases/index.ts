import type { Case } from "../suite/case.ts";
import { ADMISSION } from "./admission.ts";
import { APPLY } from "./apply.ts";
import { AUTH } from "./auth.ts";
import { CLIENT_NODE } from "./client-node.ts";
import { COLLECTION } from "./collection.ts";
import { CORE_KINDS } from "./core-kinds.ts";
import { CRD } from "./crd.ts";
import { CREATE } from "./create.ts";
import { CUSTOM_RULES } from "./custom-rules.ts";
import { CUSTOM } from "./custom.ts";
import { DELETE } from "./delete.ts";
import { DEPLOYMENTS } from "./deployments.ts";
import { DISCOVERY } from "./discovery.ts";
import { KUBECTL_APPLY } from "./kubectl-apply.ts";
import { KUBECTL_CHANGE } from "./kubectl-change.ts";
import { KUBECTL_CREATE } from "./kubectl-create.ts";
import { KUBECTL_GET } from "./kubectl-get.ts";
import { LIST } from "./list.ts";
import { NAMESPACES } from "./namespaces.ts";
import { OTHER_KINDS } from "./other-kinds.ts";
import { PATCH, STRATEGIC } from "./patch.ts";
import { POD_KINDS } from "./pod-kinds.ts";
import { PROTOCOL } from "./protocol.ts";
import { QUANTITIES } from "./quantities.ts";
import { SUBRESOURCE } from "./subresource.ts";
import { UPDATE } from "./update.ts";
import { VALIDATION } from "./validation.ts";
import { VIEWS } from "./views.ts";
import { WATCH } from "./watch.ts";
import { WORKLOAD_KINDS } from "./workload-kinds.ts";
import { WORKLOADS } from "./workloads.ts";

/** All cases, in the order of the page. */
export const CASES: readonly Case[] = [
  ...DISCOVERY,
  ...PROTOCOL,
  ...AUTH,
  ...CREATE,
  ...LIST,
  ...VIEWS,
  ...WATCH,
  ...UPDATE,
  ...PATCH,
  ...STRATEGIC,
  ...APPLY,
  ...VALIDATION,
  ...DELETE,
  ...COLLECTION,
  ...NAMESPACES,
  ...SUBRESOURCE,
  ...CRD,
  ...CUSTOM,
  ...CUSTOM_RULES,
  ...CORE_KINDS,
  ...POD_KINDS,
  ...QUANTITIES,
  ...WORKLOAD_KINDS,
  ...OTHER_KINDS,
  ...ADMISSION,
  ...DEPLOYMENTS,
  ...WORKLOADS,
  ...CLIENT_NODE,
  ...KUBECTL_GET,
  ...KUBECTL_CREATE,
  ...KUBECTL_APPLY,
  ...KUBECTL_CHANGE,
];
