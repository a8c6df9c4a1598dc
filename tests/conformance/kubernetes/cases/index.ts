import type { Case } from "../suite/case.ts";
import { ADMISSION } from "./admission.ts";
import { APPLY } from "./apply.ts";
import { AUTH } from "./auth.ts";
import { CLIENT_NODE } from "./clients/client-node.ts";
import { GARBAGE_COLLECTION } from "./garbage-collection.ts";
import { CORE_KINDS } from "./builtin/core-kinds.ts";
import { CRD } from "./crd.ts";
import { CREATE } from "./create.ts";
import { VALIDATION_RULES } from "./validation-rules.ts";
import { CUSTOM_RESOURCES } from "./custom-resources.ts";
import { DELETE } from "./delete.ts";
import { DEPLOYMENTS } from "./builtin/deployments.ts";
import { DISCOVERY } from "./discovery.ts";
import { KUBECTL_APPLY } from "./clients/kubectl-apply.ts";
import { KUBECTL_CHANGE } from "./clients/kubectl-change.ts";
import { KUBECTL_CREATE } from "./clients/kubectl-create.ts";
import { KUBECTL_GET } from "./clients/kubectl-get.ts";
import { LIST } from "./list.ts";
import { NAMESPACES } from "./builtin/namespaces.ts";
import { OTHER_KINDS } from "./builtin/other-kinds.ts";
import { RBAC_KINDS } from "./builtin/rbac-kinds.ts";
import { PATCH, STRATEGIC } from "./patch.ts";
import { POD_KINDS } from "./builtin/pod-kinds.ts";
import { PROTOCOL } from "./protocol.ts";
import { QUANTITIES } from "./builtin/quantities.ts";
import { SUBRESOURCE } from "./subresource.ts";
import { UPDATE } from "./update.ts";
import { FIELD_VALIDATION } from "./field-validation.ts";
import { REPRESENTATIONS } from "./representations.ts";
import { WATCH } from "./watch.ts";
import { WORKLOAD_KINDS } from "./builtin/workload-kinds.ts";
import { WORKLOADS } from "./builtin/workloads.ts";

/** All cases, in the order of the page. */
export const CASES: readonly Case[] = [
  ...DISCOVERY,
  ...PROTOCOL,
  ...AUTH,
  ...CREATE,
  ...LIST,
  ...REPRESENTATIONS,
  ...WATCH,
  ...UPDATE,
  ...PATCH,
  ...STRATEGIC,
  ...APPLY,
  ...FIELD_VALIDATION,
  ...DELETE,
  ...GARBAGE_COLLECTION,
  ...NAMESPACES,
  ...SUBRESOURCE,
  ...CRD,
  ...CUSTOM_RESOURCES,
  ...VALIDATION_RULES,
  ...CORE_KINDS,
  ...POD_KINDS,
  ...QUANTITIES,
  ...WORKLOAD_KINDS,
  ...RBAC_KINDS,
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
